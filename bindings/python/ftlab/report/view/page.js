// Draws each figure with Vega-Lite when it is near the viewport; zoom, legend and scale controls.

const LEFT = 52, RIGHT = 14, EDGE = 5, PRINTED = 690;  // pixels: y axis, right margin, padding; width on paper
const NEAR = '600px';
const dark = matchMedia('(prefers-color-scheme: dark)');
const charts = [];
let printing = false;
const isDark = () => dark.matches && !printing;

class Chart {
  constructor(element) {
    this.element = element;
    this.figure = element.closest('figure');
    this.source = this.figure.querySelector('script').textContent;
    const {usermeta, vconcat} = JSON.parse(this.source);
    this.meta = usermeta;
    element.style.minHeight = vconcat.reduce((sum, panel) => sum + panel.height + LEFT, 0) + 'px';  // until drawn
    this.logs = this.meta.logs;
    this.span = this.meta.whole;
    this.hidden = new Set();
    this.wanted = Promise.resolve();
    this.listen();
    this.drawLegend();
  }

  // The specification for this width, theme and scale.
  specification() {
    const themed = isDark() ? this.source.replace(/#[0-9A-F]{6}\b/g, colour => ON_DARK[colour] || colour) : this.source;
    const spec = JSON.parse(themed), usual = spec.params.find(one => one.name === 'room').value;
    const room = (printing ? PRINTED : this.element.clientWidth) - LEFT - RIGHT - 2 * EDGE;
    spec.vconcat.forEach((panel, n) => {
      panel.width = Math.max(40, panel.width - usual + room);
      if (this.meta.switches[n]) adapt(panel, this.logs[n]);
    });
    this.room = spec.vconcat[0].width;
    const values = {x_from: this.span[0], x_to: this.span[1], hidden: [...this.hidden], room: this.room};
    spec.params.forEach(one => { one.value = one.name in values ? values[one.name] : this.logs[Number(one.name.slice(4))]; });
    return spec;
  }
  // Serializes drawing, so that the last request wins.
  draw() {
    this.wanted = this.wanted.then(() => this.embed());
    return this.wanted;
  }
  async embed() {
    if (this.element.clientWidth < 50) return;
    this.width = this.element.clientWidth;
    const old = this.drawn;
    this.drawn = await vegaEmbed(this.element, this.specification(), {
      actions: false, logLevel: 1, renderer: 'svg', mode: 'vega-lite', tooltip: {theme: isDark() ? 'dark' : 'light'}});
    if (old) old.finalize();
    this.element.style.minHeight = '';
    this.drawn.view.addEventListener('click', (event, item) => {
      if (item && item.datum && item.datum.link) location.hash = item.datum.link;
    });
    this.element.dataset.drawn = this.width;
  }
  set(name, value) { if (this.drawn) this.drawn.view.signal(name, value).runAsync(); }

  drawLegend() {
    if (this.meta.legend.length < 2) return;
    for (const [name, colour, dash] of this.meta.legend) {
      const button = document.createElement('button'), sample = document.createElement('i');
      button.type = 'button';
      button.title = 'hide or show';
      button.setAttribute('aria-pressed', 'true');
      sample.className = dash === null ? 'point' : dash.length === 0 ? 'line' : dash[0] < 4 ? 'dotted' : 'dashed';
      sample.style.color = `light-dark(${colour}, ${ON_DARK[colour]})`;
      button.append(sample, name);
      button.addEventListener('click', () => {
        const hide = !this.hidden.has(name);
        this.hidden[hide ? 'add' : 'delete'](name);
        button.setAttribute('aria-pressed', String(!hide));
        this.set('hidden', [...this.hidden]);
      });
      this.figure.querySelector('.legend').append(button);
    }
  }

  // --- zoom: figures with the same axis show the same range ---
  zoomTo(span) {
    const [low, high] = this.meta.whole, within = [Math.max(low, span[0]), Math.min(high, span[1])];
    if (!(within[0] < within[1])) return;
    for (const chart of charts.filter(one => one.meta.zoom === this.meta.zoom)) {
      chart.span = [Math.max(chart.meta.whole[0], within[0]), Math.min(chart.meta.whole[1], within[1])];
      if (chart.span[0] >= chart.span[1]) chart.span = chart.meta.whole;
      chart.set('x_from', chart.span[0]);
      chart.set('x_to', chart.span[1]);
      chart.figure.querySelector('.whole').hidden = chart.span.every((end, n) => end === chart.meta.whole[n]);
    }
  }
  zoomBy(factor, shift = 0) {
    this.zoomTo([0.5 - factor / 2 + shift, 0.5 + factor / 2 + shift].map(share => this.at(share)));
  }
  // Axis value at a share of the visible range.
  at(share) {
    const [from, to] = this.span;
    return this.meta.log ? from * Math.pow(to / from, share) : from + (to - from) * share;
  }
  shareAt(event) {
    return Math.max(0, Math.min(1, (event.clientX - this.element.getBoundingClientRect().left - EDGE - LEFT) / this.room));
  }
  listen() {
    const {element} = this, choice = document.createElement('div'), keys = {
      '+': () => this.zoomBy(0.5), '-': () => this.zoomBy(2), 0: () => this.zoomTo(this.meta.whole),
      ArrowRight: () => this.zoomBy(1, 0.25), ArrowLeft: () => this.zoomBy(1, -0.25)};
    const whole = this.figure.querySelector('.whole'), scale = this.figure.querySelector('.scale');
    let from = null;
    whole.addEventListener('click', () => { this.zoomTo(this.meta.whole); element.focus(); });
    if (scale) scale.addEventListener('click', () => {
      const log = scale.getAttribute('aria-pressed') !== 'true';
      scale.setAttribute('aria-pressed', String(log));
      this.logs = this.logs.map((old, n) => this.meta.switches[n] ? log : old);
      this.draw();
    });
    if (!this.meta.zoom) return;
    choice.className = 'choice';
    element.tabIndex = 0;
    element.addEventListener('keydown', event => {
      if (!keys[event.key] || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      keys[event.key]();
    });
    element.addEventListener('pointerdown', event => {
      if (event.pointerType === 'mouse' && event.button === 0) from = this.shareAt(event);
    });
    element.addEventListener('pointermove', event => {
      if (from === null) return;
      const ends = [from, this.shareAt(event)].sort((a, b) => a - b);
      choice.style.left = EDGE + LEFT + ends[0] * this.room + 'px';
      choice.style.width = (ends[1] - ends[0]) * this.room + 'px';
      element.append(choice);
    });
    window.addEventListener('pointerup', event => {
      const ends = from === null ? [0, 0] : [from, this.shareAt(event)].sort((a, b) => a - b);
      from = null;
      choice.remove();
      if (ends[1] - ends[0] > 0.01) this.zoomTo(ends.map(share => this.at(share)));
    });
    element.addEventListener('dblclick', () => this.zoomTo(this.meta.whole));
  }
}

// The y scale of every layer.
function adapt(panel, log) {
  for (const layer of panel.layer || []) adapt(layer, log);
  const {y} = panel.encoding || {};
  if (!y || !y.scale) return;
  const {type, zero, nice, padding, ...kept} = y.scale;
  y.scale = log ? {type: 'log', nice: false, padding: 8, ...kept} : {type: 'linear', zero: true, ...kept};
  y.axis.format = log ? ',~g' : ',~r';
}
function redraw() {
  return Promise.all(charts.filter(chart => chart.drawn || printing).map(chart => chart.draw()));
}

document.addEventListener('DOMContentLoaded', () => {
  let turn = Promise.resolve();
  const near = new IntersectionObserver(entries => entries.filter(entry => entry.isIntersecting).forEach(entry => {
    const draw = () => entry.target.chart.draw();
    near.unobserve(entry.target);
    turn = turn.then(draw, draw);  // the first one is seen before the next one is compiled
  }), {rootMargin: NEAR});
  const wide = new ResizeObserver(entries => entries.forEach(({target: {chart, clientWidth}}) => {
    if (chart.drawn && chart.width !== clientWidth) chart.draw();
  }));
  for (const element of document.querySelectorAll('.plot')) {
    element.chart = new Chart(element);
    charts.push(element.chart);
    near.observe(element);
    wide.observe(element);
  }
});
dark.addEventListener('change', redraw);
window.addEventListener('beforeprint', () => { printing = true; redraw(); });
window.addEventListener('afterprint', () => { printing = false; redraw(); });

// Tables: a note on those that are cut at the right, and links from points in pictures to their rows.

// Says above a table that it scrolls sideways, as phones show no scroll bar.
function markCut(wide) { wide.classList.toggle('cut', wide.scrollWidth > wide.clientWidth + 1); }

// Expands and shows the row or run that a point links to.
function openTarget() {
  const target = location.hash.length > 1 && document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (!target) return;
  for (let around = target.closest('details'); around; around = around.parentElement.closest('details')) around.open = true;
  target.scrollIntoView({block: 'center'});
}

document.addEventListener('DOMContentLoaded', () => {
  const sizes = new ResizeObserver(entries => entries.forEach(entry => markCut(entry.target)));
  document.querySelectorAll('.wide').forEach(wide => sizes.observe(wide));
  openTarget();
});
window.addEventListener('hashchange', openTarget);
