// One figure of the page: its panels, its legend, what a pointer or a key asks of it.

const GAP = 16, FOOT = 44, TITLE = 22, RIGHT = 14, BAR = 24, BAR_ROOM = 52;

class Plot {
  constructor(element, figure) {
    this.element = element;
    this.figure = figure;
    this.hidden = new Set();
    this.window = null;  // [from, to] of the x axis; null: all
    this.width = null;  // of the paper, while it is printed
    this.cursor = -1;
    this.logs = figure.panels.map(panel => Boolean(panel.y.log));
    this.note = document.createElement('div');
    this.note.className = 'note-box';
    this.note.setAttribute('role', 'status');
    this.note.hidden = true;
    element.tabIndex = 0;
    element.append(this.note);
    this.drawLegend();
    this.listen();
    this.draw();
    new ResizeObserver(() => this.draw()).observe(element);
  }

  get stacked() { return this.figure.panels.some(panel => panel.categories); }
  get field() { return this.figure.panels.some(panel => panel.marks.some(mark => mark.kind === 'cells')); }
  shown(panel) { return panel.marks.filter(mark => !this.hidden.has(mark.name)); }
  places(mark) { return this.figure.places[mark.x]; }

  // --- the drawing ---
  draw() {
    const width = this.width || this.element.clientWidth;
    if (width < 50) return;
    this.narrow = width < 560;
    if (this.svg) this.svg.remove();
    this.svg = make('svg', {width, class: 'drawing', 'aria-hidden': this.linked() ? 'false' : 'true'});
    this.boxes = [];
    const height = this.field ? this.drawField(width) : this.stacked ? this.drawStacks(width) : this.drawPanels(width);
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

  // Panels of runs with the same axis have the same range, so that they can be compared.
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
  // For the names of bands above the curves.
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
  xRange() {
    if (this.window) return this.window;
    const values = [], {x} = this.figure;
    let tight = true;  // lines reach to the edges, points do not
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
    for (const {value} of x.ticks(72)) make('path', {d: 'M' + fixed(x.at(value)) + ',' + box.top + 'V' + box.bottom, class: 'grid'}, frame);
  }

  drawFoot(x, bottom) {
    for (const {value, text} of x.ticks(72))
      make('text', {x: fixed(x.at(value)), y: bottom + 17, class: 'tick', 'text-anchor': x.at(value) < 14 ? 'start' : 'middle'}, this.svg, text);
    make('text', {x: (x.start + x.end) / 2, y: bottom + 36, 'text-anchor': 'middle', class: 'axis-title'}, this.svg, titleOf(this.figure.x));
  }

  // [{band, from, to}]: those that can be seen, in pixels; shaded ones first.
  bandsIn(x, box) {
    return (this.figure.bands || []).concat(box.panel.bands || []).sort((a, b) => Boolean(a.phase) - Boolean(b.phase))
      .map(band => ({band, from: Math.max(box.left, x.at(band.from)), to: Math.min(box.right, x.at(band.to))}))
      .filter(({from, to}) => to > from);
  }
  drawBands(group, x, box) {
    for (const {band, from, to} of this.bandsIn(x, box)) {
      if (band.phase) make('path', {d: 'M' + fixed(from) + ',' + box.top + 'V' + box.bottom, class: 'phase'}, group);
      else make('rect', {x: fixed(from), y: box.top, width: fixed(to - from), height: box.bottom - box.top, class: 'band'}, group);
    }
  }
  // Phases have their names at the top, shaded windows a line lower.
  nameBands(group, x, box) {
    let free = 0;
    for (const {band, from, to} of this.bandsIn(x, box)) {
      const wide = band.name.length * 6.4 + 8, y = box.top + (band.phase ? 12 : 26);
      if (band.phase && (from < free || (wide > to - from && to < box.right - 2))) continue;
      const right = from + wide > box.right;
      make('text', {x: fixed(right ? box.right - 3 : from + 4), y, class: 'note', 'text-anchor': right ? 'end' : 'start'}, group, band.name);
      if (band.phase) free = from + wide;
    }
  }

  // --- bars that lie, one for each run ---
  drawStacks(width) {
    const [panel] = this.figure.panels;
    const parts = this.shown(panel);
    const totals = panel.categories.map((_, row) => parts.reduce((sum, part) => sum + (part.lengths[row] || 0), 0));
    const x = new Scale(this.figure.x, false, 0, Math.max(...totals, 1e-12) * 1.02, 4, width - RIGHT);
    this.drawPatterns(parts);
    const bottom = 8 + BAR_ROOM * panel.categories.length;
    for (const {value} of x.ticks(72)) make('path', {d: 'M' + fixed(x.at(value)) + ',4V' + bottom, class: 'grid'}, this.svg);
    panel.categories.forEach((category, row) => this.drawStack(parts, category, row, x));
    this.drawFoot(x, bottom);
    return bottom + FOOT;
  }
  drawStack(parts, category, row, x) {
    const top = 8 + BAR_ROOM * row;
    make('text', {x: 4, y: top + 13, class: 'panel-title'}, this.svg, category);
    let so_far = 0;
    for (const part of parts) {
      const length = part.lengths[row] || 0;
      if (length <= 0) continue;
      const from = x.at(so_far), to = x.at(so_far + length);
      const fill = part.pattern ? 'url(#' + this.element.id + '-p' + part.pattern + '-' + part.hue + ')' : colour(part.hue);
      const bar = make('rect', {x: fixed(from), y: top + 20, width: fixed(Math.max(0.5, to - from - 1)), height: BAR, fill,
        class: 'part', 'data-name': part.name}, this.svg);
      bar.addEventListener('pointermove', event => this.say([category, part.name + ': ' + numberText(length) + ' ' +
        (this.figure.x.unit || '')].concat(part.words ? part.words[row] : []), event));
      so_far += length;
    }
  }
  drawPatterns(parts) {
    const defs = make('defs', {}, this.svg);
    for (const part of parts.filter(one => one.pattern)) {
      const pattern = make('pattern', {id: this.element.id + '-p' + part.pattern + '-' + part.hue, width: 8, height: 8,
        patternUnits: 'userSpaceOnUse'}, defs);
      make('rect', {width: 8, height: 8, fill: colour(part.hue)}, pattern);
      make('path', {d: part.pattern === 1 ? 'M0,8L8,0' : 'M4,0V8', stroke: 'var(--paper)', 'stroke-width': 2}, pattern);
    }
  }

  // --- a field of numbers ---
  drawField(width) {
    const mark = this.figure.panels[0].marks[0];
    const left = Math.min(width * 0.35, 16 + 6.8 * Math.max(...mark.rows.map(name => name.length)));
    const wide = (width - left - RIGHT) / mark.columns.length, high = Math.max(26, Math.min(44, 300 / mark.rows.length));
    const values = mark.values.flat().filter(value => value !== null);
    const low = Math.min(...values), most = Math.max(...values);
    const log = low > 0 && most > 100 * low;
    const span = Math.max(most - low, 0.05 * Math.abs(most)) || 1;  // what differs by little looks alike
    const share = value => log ? Math.log(value / low) / Math.log(most / low) : (value - low) / span;
    const usual = values.map(Math.abs).sort((a, b) => a - b)[values.length >> 1];
    const places = values.every(Number.isInteger) ? 0 : Math.min(9, Math.max(0, 3 - Math.floor(Math.log10(usual || 1))));
    const written = value => value.toLocaleString('en-US', {minimumFractionDigits: places, maximumFractionDigits: places}).replaceAll(',', THIN);
    make('text', {x: 2, y: 14, class: 'panel-title'}, this.svg, titleOf(this.figure.panels[0].y) + ', ' + written(low) + ' to ' + written(most));
    mark.rows.forEach((row, r) => {
      make('text', {x: left - 6, y: TITLE + high * r + high / 2 + 4, 'text-anchor': 'end', class: 'tick'}, this.svg, this.cut(row, left - 8));
      mark.columns.forEach((column, c) => this.drawCell(mark, r, c, {left: left + wide * c, top: TITLE + high * r, wide, high}, share, written));
    });
    const bottom = TITLE + high * mark.rows.length;
    mark.columns.forEach((column, c) => make('text', {x: left + wide * (c + 0.5), y: bottom + 16, 'text-anchor': 'middle', class: 'tick'},
      this.svg, this.cut(column, wide - 4)));
    make('text', {x: left + (width - left) / 2, y: bottom + 36, 'text-anchor': 'middle', class: 'axis-title'}, this.svg, titleOf(this.figure.x));
    return bottom + FOOT;
  }
  cut(text, room) {
    const most = Math.max(1, Math.floor(room / 6.6));
    return text.length <= most ? text : text.slice(0, Math.max(1, most - 1)) + '…';
  }
  drawCell(mark, r, c, {left, top, wide, high}, share, written) {
    const value = mark.values[r][c];
    if (value === null) return;
    const rgb = fieldColour(share(value)), words = mark.rows[r] + ', ' + mark.columns[c];
    const parent = mark.links && mark.links[r][c] ? link(this.svg, mark.links[r][c], words + ': ' + written(value)) : this.svg;
    const cell = make('rect', {x: fixed(left + 0.5), y: fixed(top + 0.5), width: fixed(wide - 1), height: fixed(high - 1),
      fill: 'rgb(' + rgb + ')', class: 'cell'}, parent);
    cell.addEventListener('pointermove', event => this.say([words, valueText(this.figure.panels[0].y, value)], event));
    const text = written(value);
    if (text.length * 6.8 + 4 < wide)
      make('text', {x: left + wide / 2, y: top + high / 2 + 4, 'text-anchor': 'middle', class: 'in-cell', fill: inkOn(rgb)}, parent, text);
  }

  // --- the legend: a button for each name ---
  drawLegend() {
    const legend = document.getElementById(this.element.id + '-legend');
    const marks = new Map();
    for (const panel of this.figure.panels)
      for (const mark of panel.marks)
        if (mark.kind !== 'guide' && mark.kind !== 'cells') marks.set(mark.name, (marks.get(mark.name) || []).concat([mark]));
    if (marks.size < 2) return;
    for (const [name, drawn] of marks) legend.append(this.entry(name, drawn));
  }
  entry(name, drawn) {
    const button = document.createElement('button'), [mark] = drawn;
    const hue = drawn.every(other => other.hue === mark.hue) ? mark.hue : undefined;
    button.type = 'button';
    button.className = 'entry';
    button.setAttribute('aria-pressed', 'true');
    button.title = 'hide or show';
    const sample = make('svg', {width: 26, height: 12, 'aria-hidden': 'true'}, button);
    this.drawSample(sample, {...mark, hue});
    button.append(name);
    button.addEventListener('click', () => {
      const hide = !this.hidden.has(name);
      this.hidden[hide ? 'add' : 'delete'](name);
      button.setAttribute('aria-pressed', String(!hide));
      this.draw();
    });
    return button;
  }
  drawSample(sample, mark) {
    if (mark.kind === 'curve' && mark.style !== 'points')
      make('path', {d: 'M1,6H25', stroke: colour(mark.hue), 'stroke-width': 2, 'stroke-dasharray': mark.dash || 'none'}, sample);
    if (mark.kind === 'curve' && (mark.style === 'points' || mark.style === 'both'))
      make('path', {d: symbolPath(mark.symbol, 4), transform: 'translate(13,6)', fill: colour(mark.hue), stroke: colour(mark.hue)}, sample);
    if (mark.kind !== 'curve') make('rect', {x: 1, y: 1, width: 24, height: 10, fill: colour(mark.hue),
      'fill-opacity': mark.kind === 'ribbon' ? 0.3 : 1}, sample);
    if (mark.pattern) make('path', {d: mark.pattern === 1 ? 'M1,11L11,1M9,11L19,1M17,11L25,3' : 'M6,1V11M13,1V11M20,1V11', stroke: 'var(--paper)', 'stroke-width': 2}, sample);
  }

  setLog(toLog) {
    this.figure.panels.forEach((panel, i) => { if (panel.y.switch) this.logs[i] = toLog; });
    this.draw();
  }

  // --- what a pointer or a key asks ---
  listen() {
    const {element} = this;
    let from = null;
    element.addEventListener('pointermove', event => {
      if (from !== null) this.drawChoice(from, this.pixel(event));
      this.point(event);
    });
    element.addEventListener('pointerleave', () => this.hush());
    element.addEventListener('pointerdown', event => { from = event.pointerType === 'mouse' && this.x && !event.target.closest('a') ? this.pixel(event) : null; });
    window.addEventListener('pointerup', event => {
      if (from !== null) this.choose(from, this.pixel(event));
      from = null;
    });
    element.addEventListener('dblclick', () => this.zoomTo(null));
    element.addEventListener('keydown', event => this.key(event));
    element.addEventListener('blur', () => this.hush());
  }
  pixel(event) { return event.clientX - this.element.getBoundingClientRect().left; }

  drawChoice(from, to) {
    if (this.choice) this.choice.remove();
    if (Math.abs(to - from) < 8) return;
    const [first] = this.boxes, last = this.boxes[this.boxes.length - 1];
    this.choice = make('rect', {x: Math.min(from, to), y: first.top, width: Math.abs(to - from), height: last.bottom - first.top, class: 'choice'}, this.svg);
  }
  choose(from, to) {
    if (this.choice) this.choice.remove();
    const {start, end} = this.x, inside = pixel => this.x.of(Math.max(start, Math.min(end, pixel)));
    if (Math.abs(to - from) >= 8) this.zoomTo([inside(Math.min(from, to)), inside(Math.max(from, to))]);
  }
  zoomTo(window) {
    this.window = window;
    const whole = document.getElementById(this.element.id + '-whole');
    if (whole) whole.hidden = window === null;
    this.draw();
  }
  zoomBy(factor) {
    if (!this.x) return;
    const middle = (this.x.start + this.x.end) / 2, half = (this.x.end - this.x.start) / 2 * factor;
    this.zoomTo(factor > 1 && half > 20000 ? null : [this.x.of(middle - half), this.x.of(middle + half)]);
  }

  key(event) {
    if (event.target !== this.element || event.ctrlKey || event.metaKey || event.altKey) return;
    const acts = {ArrowRight: () => this.step(1), ArrowLeft: () => this.step(-1), Home: () => this.stepTo(0), End: () => this.stepTo(Infinity),
      '+': () => this.zoomBy(0.5), '-': () => this.zoomBy(2), 0: () => this.zoomTo(null), Escape: () => this.hush()};
    if (!acts[event.key] || !this.x) return;
    event.preventDefault();
    acts[event.key]();
  }
  // From place to place of the curve with most of them.
  step(by) { this.stepTo(this.cursor + by); }
  stepTo(index) {
    const curves = this.figure.panels.flatMap(panel => this.shown(panel)).filter(mark => mark.kind === 'curve');
    if (curves.length === 0) return;
    const longest = curves.reduce((a, b) => this.places(b).length > this.places(a).length ? b : a);
    const xs = this.places(longest);
    this.cursor = Math.max(0, Math.min(xs.length - 1, index));
    this.tellAt(xs[this.cursor], this.boxes, null);
  }

  point(event) {
    if (this.field || this.stacked) {
      if (!event.target.closest('.cell, .part, a')) this.hush();
      return;
    }
    const {left, top} = this.element.getBoundingClientRect();
    const px = event.clientX - left, py = event.clientY - top;
    const box = this.boxes.find(one => py >= one.top - 10 && py <= one.bottom + 10 && px >= one.left - 8 && px <= one.right + 8);
    if (!box || !box.y) return this.hush();
    const scattered = this.shown(box.panel).filter(mark => mark.style === 'points');
    if (scattered.length > 0) return this.tellNearest(box, scattered, px, py, event);
    const columns = this.shown(box.panel).filter(mark => mark.kind === 'columns');
    if (columns.length > 0) return this.tellColumns(box, columns, px, event);
    this.tellAt(this.x.of(px), [box], event);
  }
  tellNearest(box, marks, px, py, event) {
    let best = {far: 30};
    for (const mark of marks)
      this.places(mark).forEach((place, i) => {
        const far = Math.hypot(box.x.at(place) - px, box.y.at(mark.y[i]) - py);
        if (far < best.far) best = {far, mark, i, place};
      });
    if (!best.mark) return this.hush();
    this.say(this.linesOf(best.mark, best.i, best.place, box), event);
  }
  linesOf(mark, i, place, box) {
    const lines = [mark.name];
    if (!this.figure.x.reading) lines.push(valueText(this.figure.x, place));
    lines.push(valueText(box.panel.y, mark.y[i]));
    return mark.words ? lines.concat(mark.words[i]) : lines;
  }
  tellColumns(box, marks, px, event) {
    const place = this.x.of(px), lines = [];
    for (const mark of marks)
      mark.from.forEach((from, i) => {
        if (place < from - 0.5 || place >= mark.below[i] - 0.5) return;
        const last = mark.below[i] - 1;
        lines.push(mark.name, this.figure.x.label + ': ' + (last > from ? from + ' to ' + last : from), valueText(box.panel.y, mark.y[i]));
      });
    if (lines.length > 0) this.say(lines, event);
  }
  // What every curve of the panels says at a place, with a line through it.
  tellAt(place, boxes, event) {
    const lines = [];
    let at = null;
    for (const box of boxes)
      for (const mark of this.shown(box.panel)) {
        if (mark.kind !== 'curve' || !box.y || mark.y.length < 2) continue;
        const i = this.nearest(mark, place);
        if (i < 0) continue;
        const value = mark.y[i], words = mark.words && this.figure.x.reading ? mark.words[i] : null;
        if (at === null) lines.push(words || valueText(this.figure.x, this.places(mark)[i]));
        at = at === null ? this.places(mark)[i] : at;
        const name = (box.panel.title && boxes.length > 1 ? box.panel.title + ', ' : '') + mark.name;
        lines.push(name + ': ' + numberText(value) + (box.panel.y.unit ? ' ' + box.panel.y.unit : ''));
      }
    if (at === null) return this.hush();
    this.say(lines, event);
    this.cross = make('path', {d: 'M' + fixed(this.x.at(at)) + ',' + this.boxes[0].top + 'V' + this.boxes[this.boxes.length - 1].bottom, class: 'cross'}, this.svg);
  }
  // Of its points that have a value; of steps the one that holds there.
  nearest(mark, place) {
    const xs = this.places(mark);
    let best = -1, far = Infinity;
    for (let i = 0; i < xs.length; ++i) {
      if (mark.y[i] === null) continue;
      const away = mark.style === 'steps' ? (xs[i] <= place ? place - xs[i] : Infinity) : Math.abs(xs[i] - place);
      if (away < far || (mark.style === 'steps' && away === far)) { best = i; far = away; }
    }
    return best;
  }
  say(lines, event) {
    this.hush();
    this.note.replaceChildren(...lines.map(line => {
      const div = document.createElement('div');
      div.textContent = line;
      return div;
    }));
    this.note.hidden = false;
    const {left, top, width} = this.element.getBoundingClientRect();
    const x = event ? event.clientX - left : width / 2, y = event ? event.clientY - top : 30;
    this.note.style.left = Math.max(0, Math.min(width - this.note.offsetWidth - 4, x + 14)) + 'px';
    this.note.style.top = y + 14 + 'px';
  }
  hush() {
    this.note.hidden = true;
    if (this.cross) this.cross.remove();
  }
}
