"use strict";
// Draws every figure of the page from the JSON beside it, and lets its reader change the scale.
(function () {
  // Plotly offers to upload a chart unless it is told not to.
  const config = {
    responsive: true, displaylogo: false, showTips: false, showSendToCloud: false, plotlyServerURL: "",
    modeBarButtonsToRemove: ["select2d", "lasso2d", "sendChartToCloud"],
  };
  const printed = 690;  // pixels; what a page of A4 holds between its margins

  function scales(button, toLog) {
    const change = {};
    button.dataset.axes.split(" ").forEach((axis) => { change[axis + ".type"] = toLog ? "log" : "linear"; });
    button.setAttribute("aria-pressed", String(toLog));
    return change;
  }

  document.querySelectorAll(".plot").forEach((plot) => {
    const figure = JSON.parse(document.getElementById(plot.id + "-data").textContent);
    Plotly.newPlot(plot, figure.data, figure.layout, config).then(() => { plot.dataset.drawn = "yes"; });
  });
  document.querySelectorAll("button.scale").forEach((button) => {
    button.addEventListener("click", () => {
      const toLog = button.getAttribute("aria-pressed") !== "true";
      Plotly.relayout(button.dataset.plot, scales(button, toLog));
    });
  });
  window.addEventListener("beforeprint", () => {
    document.querySelectorAll(".plot").forEach((plot) => { Plotly.relayout(plot, { width: printed }); });
  });
  window.addEventListener("afterprint", () => {
    document.querySelectorAll(".plot").forEach((plot) => { Plotly.relayout(plot, { width: null, autosize: true }); });
  });
}());
