// One figure of the page: panels, ranges and axes.

const GAP = 16;

class Plot {
  constructor(element, figure) {
    this.element = element;
    this.figure = figure;
    this.hidden = new Set();
    this.window = null;  // [from, to] of the x axis; null: everything
    this.width = null;  // width of the paper while printing
    this.logs = figure.panels.map(panel => Boolean(panel.y.log));
    this.reader = new Reader(this);
    drawLegend(this);
    this.draw();
    new ResizeObserver(() => this.draw()).observe(element);
  }

  get stacked() { return this.figure.panels.some(panel => panel.categories); }
  get field() { return this.figure.panels.some(panel => panel.marks.some(mark => mark.kind === 'cells')); }
  shown(panel) { return panel.marks.filter(mark => !this.hidden.has(mark.name)); }
  places(mark) { return this.figure.places[mark.x]; }

  // --- drawing ---
  draw() {
    const width = this.width || this.element.clientWidth;
    if (width < 50) return;
    this.narrow = width < 560;
    if (this.svg) this.svg.remove();
    this.svg = make('svg', {width, class: 'drawing', 'aria-hidden': this.linked() ? 'false' : 'true'});
    this.boxes = [];
    const height = this.field ? drawField(this, width) : this.stacked ? drawStacks(this, width) : this.drawPanels(width);
    this.svg.setAttribute('height', height);
    this.svg.setAttribute('viewBox', '0 0 ' + width + ' ' + height);
    this.element.prepend(this.svg);
    this.element.dataset.drawn = 'yes';
    this.element.dataset.width = width;
  }
  linked() { return this.figure.panels.some(panel => panel.marks.some(mark => mark.links)); }

  drawPanels(width) {
    const ranges = this.ranges();
    const scales = ranges.map((range, i) => range && new Scale(this.figure.panels[i].y, this.logs[i], range[0], range[1], 0, 1));
    const left = 14 + 6.6 * Math.max(3, ...scales.map(scale => scale ?
      Math.max(...this.ticksOf(scale, 200).map(tick => tick.text.length)) : 0));
    const span = this.xRange();
    const x = new Scale(this.figure.x, Boolean(this.figure.x.log), span[0], span[1], left, width - RIGHT);
    this.x = x;
    let top = 0;
    this.figure.panels.forEach((panel, i) => {
      const high = this.heightOf(i);
      const box = {panel, left, right: width - RIGHT, top: top + TITLE, bottom: top + TITLE + high};
      this.drawPanel(box, x, ranges[i], i);
      this.boxes.push(box);
      top = box.bottom + GAP;
    });
    const bottom = top - GAP;
    this.drawFoot(x, bottom);
    return bottom + FOOT;
  }
  ticksOf(scale, high) {
    return new Scale(scale.axis, scale.log, scale.from, scale.to, 0, high).ticks(34);
  }
  heightOf(i) {
    const alone = this.figure.panels.length === 1;
    if (this.narrow) return alone ? 240 : 150;
    return alone ? 340 : this.figure.panels.length === 2 || (i === 0 && !this.figure.panels[0].title) ? 230 : 170;
  }

  // Panels of runs with the same axis share a range, so that they can be compared.
  ranges() {
    const {panels} = this.figure;
    const own = panels.map((panel, i) => rangeOf(this.valuesOf(panel), panel.y, this.logs[i]));
    return panels.map((panel, i) => {
      if (!panel.title) return this.withHeadroom(own[i], i);
      const alike = own.filter((range, k) => range && panels[k].title && titleOf(panels[k].y) === titleOf(panel.y));
      return this.withHeadroom(alike.length ?
        [Math.min(...alike.map(range => range[0])), Math.max(...alike.map(range => range[1]))] : null, i);
    });
  }
  // Leaves room for the names of bands above the curves.
  withHeadroom(range, i) {
    const bands = (this.figure.bands || []).length + (this.figure.panels[i].bands || []).length;
    if (!range || bands === 0) return range;
    return [range[0], this.logs[i] ? range[1] * Math.pow(range[1] / range[0], 0.12) : range[1] + (range[1] - range[0]) * 0.12];
  }
  * valuesOf(panel) {
    for (const mark of this.shown(panel)) {
      if (mark.kind === 'columns') { yield 0; yield* mark.y; }
      if (mark.kind === 'guide' || mark.kind === 'columns') continue;
      const xs = this.places(mark);
      for (let i = 0; i < xs.length; ++i) {
        if (this.window && (xs[i] < this.window[0] || xs[i] > this.window[1])) continue;
        if (mark.kind === 'ribbon') { yield mark.low[i]; yield mark.high[i]; } else yield mark.y[i];
      }
    }
  }
  xRange() { return this.window || this.wholeRange(); }
  wholeRange() {
    const values = [], {x} = this.figure;
    let tight = true;  // lines reach the edges, points do not
    for (const panel of this.figure.panels)
      for (const mark of panel.marks) {
        if (mark.kind === 'columns') values.push(...mark.from.map(n => n - 0.5), ...mark.below.map(n => n - 0.5));
        if (mark.x !== undefined) values.push(...this.places(mark));
        if (mark.style === 'points' || mark.style === 'both') tight = false;
      }
    const low = values.reduce((a, b) => Math.min(a, b), Infinity), high = values.reduce((a, b) => Math.max(a, b), -Infinity);
    if (!(low < high)) return rangeOf(values.length ? values : [1], x, Boolean(x.log)) || [0, 1];
    if (!tight) return rangeOf(values, x, Boolean(x.log));
    return x.log ? [low, high] : [x.label === 'Time' ? Math.min(0, low) : low, high];
  }

  drawPanel(box, x, range, i) {
    const {panel} = box;
    this.drawTitle(panel, box);
    const frame = make('g', {class: 'panel'}, this.svg);
    if (!range) {
      make('text', {x: box.left + 8, y: box.top + 20, class: 'note'}, frame, 'nothing to draw on this scale');
      return;
    }
    const y = new Scale(panel.y, this.logs[i], range[0], range[1], box.bottom, box.top);
    Object.assign(box, {x, y});
    const clip = make('clipPath', {id: this.element.id + '-clip' + i}, frame);
    make('rect', {x: box.left - 5, y: box.top - 5, width: box.right - box.left + 10, height: box.bottom - box.top + 10}, clip);
    const clipped = {'clip-path': 'url(#' + this.element.id + '-clip' + i + ')'};
    this.drawBands(make('g', clipped, frame), x, box);
    this.drawGrid(frame, x, y, box);
    const inside = make('g', clipped, frame);
    const columns = this.shown(panel).filter(mark => mark.kind === 'columns');
    for (const mark of this.shown(panel)) {
      const group = make('g', {class: 'mark ' + mark.kind, 'data-name': mark.name}, inside);
      if (mark.kind === 'curve') drawCurve(group, mark, this.places(mark), x, y);
      if (mark.kind === 'ribbon') drawRibbon(group, mark, this.places(mark), x, y);
      if (mark.kind === 'columns') drawColumns(group, mark, x, y, columns.indexOf(mark), columns.length);
      if (mark.kind === 'guide') drawGuide(group, mark, x, y, box);
    }
    make('path', {d: 'M' + box.left + ',' + box.top + 'V' + box.bottom + 'H' + box.right, class: 'axis'}, frame);
    this.nameBands(make('g', clipped, frame), x, box);
  }

  drawTitle(panel, box) {
    const text = make('text', {x: 2, y: box.top - 8, class: 'panel-title'}, this.svg);
    if (panel.title) make('tspan', {fill: colour(panel.hue), 'font-weight': 650}, text, panel.title + '  ');
    make('tspan', {}, text, titleOf(panel.y));
  }

  drawGrid(frame, x, y, box) {
    for (const {value, text} of y.ticks(34)) {
      const at = fixed(y.at(value));
      make('path', {d: 'M' + box.left + ',' + at + 'H' + box.right, class: 'grid'}, frame);
      make('text', {x: box.left - 7, y: y.at(value) + 4, 'text-anchor': 'end', class: 'tick'}, frame, text);
    }
    for (const {value} of x.ticks(72))
      make('path', {d: 'M' + fixed(x.at(value)) + ',' + box.top + 'V' + box.bottom, class: 'grid'}, frame);
  }

  drawFoot(x, bottom) {
    for (const {value, text} of x.ticks(72))
      make('text', {x: fixed(x.at(value)), y: bottom + 17, class: 'tick',
        'text-anchor': x.at(value) < 14 ? 'start' : 'middle'}, this.svg, text);
    make('text', {x: (x.start + x.end) / 2, y: bottom + 36, 'text-anchor': 'middle', class: 'axis-title'}, this.svg,
      titleOf(this.figure.x));
  }

  // [{band, from, to}]: the visible ones in pixels, shaded ones first.
  bandsIn(x, box) {
    return (this.figure.bands || []).concat(box.panel.bands || []).sort((a, b) => Boolean(a.phase) - Boolean(b.phase))
      .map(band => ({band, from: Math.max(box.left, x.at(band.from)), to: Math.min(box.right, x.at(band.to))}))
      .filter(({from, to}) => to > from);
  }
  drawBands(group, x, box) {
    for (const {band, from, to} of this.bandsIn(x, box)) {
      if (band.phase) make('path', {d: 'M' + fixed(from) + ',' + box.top + 'V' + box.bottom, class: 'phase'}, group);
      else make('rect', {x: fixed(from), y: box.top, width: fixed(to - from), height: box.bottom - box.top,
        class: 'band'}, group);
    }
  }
  // Names of phases are at the top, names of shaded windows one line lower.
  nameBands(group, x, box) {
    let free = 0;
    for (const {band, from, to} of this.bandsIn(x, box)) {
      const wide = band.name.length * 6.4 + 8, y = box.top + (band.phase ? 12 : 26);
      if (band.phase && (from < free || (wide > to - from && to < box.right - 2))) continue;
      const right = from + wide > box.right;
      make('text', {x: fixed(right ? box.right - 3 : from + 4), y, class: 'note',
        'text-anchor': right ? 'end' : 'start'}, group, band.name);
      if (band.phase) free = from + wide;
    }
  }

  zoomTo(window) {
    this.window = window;
    const whole = document.getElementById(this.element.id + '-whole');
    if (whole) whole.hidden = window === null;
    this.draw();
  }
  // Zooms around the middle of the visible range, at most to the whole axis.
  zoomBy(factor) {
    if (!this.x || (factor > 1 && !this.window)) return;
    const middle = (this.x.start + this.x.end) / 2, half = (this.x.end - this.x.start) / 2 * factor;
    const wanted = [this.x.of(middle - half), this.x.of(middle + half)];
    const [from, to] = this.wholeRange();
    const within = [Math.max(from, wanted[0]), Math.min(to, wanted[1])];
    this.zoomTo(within[0] === from && within[1] === to ? null : within);
  }
  setLog(toLog) {
    this.figure.panels.forEach((panel, i) => { if (panel.y.switch) this.logs[i] = toLog; });
    this.draw();
  }
}
