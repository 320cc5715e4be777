// Pointer and keyboard input of a figure: reading values and zooming.

class Reader {
  constructor(plot) {
    this.plot = plot;
    this.cursor = -1;
    this.note = document.createElement('div');
    this.note.className = 'note-box';
    this.note.setAttribute('role', 'status');
    this.note.hidden = true;
    plot.element.tabIndex = 0;
    plot.element.append(this.note);
    this.listen();
  }

  listen() {
    const {element} = this.plot;
    let from = null;
    element.addEventListener('pointermove', event => {
      if (from !== null) this.drawChoice(from, this.pixel(event));
      this.point(event);
    });
    element.addEventListener('pointerleave', () => this.hush());
    element.addEventListener('pointerdown', event => {
      const drags = event.pointerType === 'mouse' && this.plot.x && !event.target.closest('a');
      from = drags ? this.pixel(event) : null;
    });
    window.addEventListener('pointerup', event => {
      if (from !== null) this.choose(from, this.pixel(event));
      from = null;
    });
    element.addEventListener('dblclick', () => this.plot.zoomTo(null));
    element.addEventListener('keydown', event => this.key(event));
    element.addEventListener('blur', () => this.hush());
  }
  pixel(event) { return event.clientX - this.plot.element.getBoundingClientRect().left; }

  drawChoice(from, to) {
    if (this.choice) this.choice.remove();
    if (Math.abs(to - from) < 8) return;
    const [first] = this.plot.boxes, last = this.plot.boxes[this.plot.boxes.length - 1];
    this.choice = make('rect', {x: Math.min(from, to), y: first.top, width: Math.abs(to - from),
      height: last.bottom - first.top, class: 'choice'}, this.plot.svg);
  }
  choose(from, to) {
    if (this.choice) this.choice.remove();
    const {start, end} = this.plot.x, inside = pixel => this.plot.x.of(Math.max(start, Math.min(end, pixel)));
    if (Math.abs(to - from) >= 8) this.plot.zoomTo([inside(Math.min(from, to)), inside(Math.max(from, to))]);
  }
  key(event) {
    if (event.target !== this.plot.element || event.ctrlKey || event.metaKey || event.altKey) return;
    const acts = {
      ArrowRight: () => this.step(1), ArrowLeft: () => this.step(-1), Home: () => this.stepTo(0), End: () => this.stepTo(Infinity),
      '+': () => this.plot.zoomBy(0.5), '-': () => this.plot.zoomBy(2), 0: () => this.plot.zoomTo(null), Escape: () => this.hush()
    };
    if (!acts[event.key] || !this.plot.x) return;
    event.preventDefault();
    acts[event.key]();
  }
  // Moves along the points of the curve that has the most.
  step(by) { this.stepTo(this.cursor + by); }
  stepTo(index) {
    const curves = this.plot.figure.panels.flatMap(panel => this.plot.shown(panel)).filter(mark => mark.kind === 'curve');
    if (curves.length === 0) return;
    const longest = curves.reduce((a, b) => this.plot.places(b).length > this.plot.places(a).length ? b : a);
    const xs = this.plot.places(longest);
    this.cursor = Math.max(0, Math.min(xs.length - 1, index));
    this.tellAt(xs[this.cursor], this.plot.boxes, null);
  }

  point(event) {
    if (this.plot.field || this.plot.stacked) {
      if (!event.target.closest('.cell, .part, a')) this.hush();
      return;
    }
    const {left, top} = this.plot.element.getBoundingClientRect();
    const px = event.clientX - left, py = event.clientY - top;
    const box = this.plot.boxes.find(one => py >= one.top - 10 && py <= one.bottom + 10 && px >= one.left - 8 && px <= one.right + 8);
    if (!box || !box.y) return this.hush();
    const scattered = this.plot.shown(box.panel).filter(mark => mark.style === 'points');
    if (scattered.length > 0) return this.tellNearest(box, scattered, px, py, event);
    const columns = this.plot.shown(box.panel).filter(mark => mark.kind === 'columns');
    if (columns.length > 0) return this.tellColumns(box, columns, px, event);
    this.tellAt(this.plot.x.of(px), [box], event);
  }
  tellNearest(box, marks, px, py, event) {
    let best = {far: 30};
    for (const mark of marks)
      this.plot.places(mark).forEach((place, i) => {
        const far = Math.hypot(box.x.at(place) - px, box.y.at(mark.y[i]) - py);
        if (far < best.far) best = {far, mark, i, place};
      });
    if (!best.mark) return this.hush();
    this.say(this.linesOf(best.mark, best.i, best.place, box), event);
  }
  linesOf(mark, i, place, box) {
    const lines = [mark.name];
    if (!this.plot.figure.x.reading) lines.push(valueText(this.plot.figure.x, place));
    lines.push(valueText(box.panel.y, mark.y[i]));
    return mark.words ? lines.concat(mark.words[i]) : lines;
  }
  tellColumns(box, marks, px, event) {
    const place = this.plot.x.of(px), lines = [];
    for (const mark of marks)
      mark.from.forEach((from, i) => {
        if (place < from - 0.5 || place >= mark.below[i] - 0.5) return;
        const last = mark.below[i] - 1;
        lines.push(mark.name, this.plot.figure.x.label + ': ' + (last > from ? from + ' to ' + last : from), valueText(box.panel.y, mark.y[i]));
      });
    if (lines.length > 0) this.say(lines, event);
  }
  // Shows the values of all curves at a position, with a line through it.
  tellAt(place, boxes, event) {
    const lines = [];
    let at = null;
    for (const box of boxes)
      for (const mark of this.plot.shown(box.panel)) {
        if (mark.kind !== 'curve' || !box.y || mark.y.length < 2) continue;
        const i = this.nearest(mark, place);
        if (i < 0) continue;
        const value = mark.y[i], words = mark.words && this.plot.figure.x.reading ? mark.words[i] : null;
        if (at === null) lines.push(words || valueText(this.plot.figure.x, this.plot.places(mark)[i]));
        at = at === null ? this.plot.places(mark)[i] : at;
        const name = (box.panel.title && boxes.length > 1 ? box.panel.title + ', ' : '') + mark.name;
        lines.push(name + ': ' + numberText(value) + (box.panel.y.unit ? ' ' + box.panel.y.unit : ''));
      }
    if (at === null) return this.hush();
    this.say(lines, event);
    this.cross = make('path', {d: 'M' + fixed(this.plot.x.at(at)) + ',' + this.plot.boxes[0].top + 'V' + this.plot.boxes[this.plot.boxes.length - 1].bottom, class: 'cross'}, this.plot.svg);
  }
  // Only points that have a value; for steps the one that applies at `place`.
  nearest(mark, place) {
    const xs = this.plot.places(mark);
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
    const {left, top, width} = this.plot.element.getBoundingClientRect();
    const x = event ? event.clientX - left : width / 2, y = event ? event.clientY - top : 30;
    this.note.style.left = Math.max(0, Math.min(width - this.note.offsetWidth - 4, x + 14)) + 'px';
    this.note.style.top = y + 14 + 'px';
  }
  hush() {
    this.note.hidden = true;
    if (this.cross) this.cross.remove();
  }
}
