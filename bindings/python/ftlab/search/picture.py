"""Pictures of a Pareto front."""

from __future__ import annotations

from typing import Any, List, Sequence

import pandas as pd

_COLOURS = "viridis"  # distinguishable with all kinds of colour vision, and in grey
_PALE = "#c8c8c8"


def draw_front(trials: pd.DataFrame, objectives: Sequence[str], path: str) -> None:
    """Writes a PNG. objectives: along x, along y, as colour."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure
    figure = Figure(figsize=(8, 5.5), dpi=120, layout="constrained")
    FigureCanvasAgg(figure)
    axes = figure.add_subplot()
    x, y, colour = _three(objectives)
    others, front = trials[~trials["on_front"]], trials[trials["on_front"]]
    axes.scatter(others[x], others[y], s=18, color=_PALE, label="other designs")
    shown = axes.scatter(front[x], front[y], s=48, c=front[colour], cmap=_COLOURS, edgecolors="black", linewidths=0.6,
                         label="Pareto front")
    figure.colorbar(shown, ax=axes, label=label_of(colour))
    axes.set(xlabel=label_of(x), ylabel=label_of(y), title=f"{len(front)} of {len(trials)} designs are on the front")
    axes.grid(alpha=0.3)
    axes.legend()
    figure.savefig(path)


def front_figure(trials: pd.DataFrame, objectives: Sequence[str], keys: Sequence[str]) -> Any:
    """Like draw_front(), as a plotly figure."""
    import plotly.graph_objects as go
    x, y, colour = _three(objectives)
    figure = go.Figure()
    for on_front, name in ((False, "other designs"), (True, "Pareto front")):
        part = trials[trials["on_front"] == on_front]
        marker = ({"size": 11, "color": part[colour], "colorscale": "Viridis", "line": {"width": 1, "color": "black"},
                   "colorbar": {"title": label_of(colour)}} if on_front else {"size": 7, "color": _PALE})
        figure.add_scatter(x=part[x], y=part[y], mode="markers", name=name, marker=marker, text=_told(part, keys))
    figure.update_layout(xaxis_title=label_of(x), yaxis_title=label_of(y), template="plotly_white",
                         legend={"orientation": "h", "y": 1.08})
    return figure


def label_of(name: str) -> str:
    """`write_latency_us_p999` as `write latency p99.9 (us)`."""
    words = name.split("_")
    known = {"wa": "write amplification since the beginning (media bytes / host bytes)",
             "wa_at_end": "write amplification at the end (media bytes / host bytes)", "price_usd": "price (USD)",
             "price_usd_per_user_gib": "price (USD per GiB of user capacity)"}
    if name in known:
        return known[name]
    for unit in ("us", "bytes", "s", "iops"):
        if unit in words:
            rest = [_percentile(word) for word in words if word != unit]
            return f"{' '.join(rest)} ({unit})"
    return " ".join(words)


def _percentile(word: str) -> str:
    return f"p{word[1:3]}.{word[3:]}" if word[:1] == "p" and word[1:].isdecimal() and len(word) > 3 else word


def _three(objectives: Sequence[str]) -> List[str]:
    """x, y and colour: with one or two objectives the last one is also the colour."""
    return [*objectives[:3], *[objectives[-1]] * (3 - len(objectives[:3]))]


def _told(part: pd.DataFrame, keys: Sequence[str]) -> List[str]:
    return ["<br>".join(f"{key}: {row[key]}" for key in ("trial", *keys)) for _, row in part.iterrows()]
