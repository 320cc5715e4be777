// Curves over time with one cursor: host performance, and the history of one superblock.

const MARGIN = {left: 44, right: 18, top: 16, bottom: 18};

class TimeAxis {
  constructor(recording, width) {
    this.recording = recording;
    this.left = MARGIN.left;
    this.width = Math.max(1, width - MARGIN.left - MARGIN.right);
    this.from = recording.timeOf(0);
    this.to = Math.max(recording.timeOf(recording.pictures - 1), this.from + 1e-9);
  }
  x(time) { return this.left + (time - this.from) / (this.to - this.from) * this.width; }
  of(picture) { return this.x(this.recording.timeOf(picture)); }
  pictureAt(x) { return this.recording.pictureAt(this.from + (x - this.left) / this.width * (this.to - this.from)); }
}

// The smallest round step that needs at most `most` steps to reach `top`.
function stepFor(top, most) {
  const raw = Math.max(top, 1e-12) / most;
  const power = Math.pow(10, Math.floor(Math.log10(raw)));
  return [1, 2, 2.5, 4, 5, 10].map(factor => factor * power).find(step => step >= raw * 0.999);
}

function drawTimes(context, axis, y) {
  const step = stepFor(axis.to - axis.from, Math.max(2, Math.floor(axis.width / 70)));
  for (let time = Math.ceil(axis.from / step) * step; time <= axis.to * 1.0001; time += step) {
    const align = axis.x(time) > axis.left + axis.width - 20 ? 'right' : 'center';  // not cut at the edge
    label(context, Number(time.toPrecision(6)) + ' s', axis.x(time), y + 14, align);
  }
}

function drawTitle(context, text, x, y) {
  context.font = '600 ' + FONT;
  label(context, text, x, y, 'left', COLOUR.ink);
  context.font = FONT;
}

function drawCursor(context, axis, picture, top, bottom) {
  const x = Math.round(axis.of(picture)) + 0.5;
  stroke(context, [[x, top], [x, bottom]], COLOUR.chosen, 1.5);
}

class HostChart {
  constructor(canvas, recording) {
    this.canvas = canvas;
    this.recording = recording;
    const host = recording.host;
    const reads = host.read_MB_per_s.some(rate => rate > 0);
    this.panels = [
      {title: 'host, MB/s', lines: [{name: 'writes', list: host.write_MB_per_s, colour: 'valid', dash: []}]
        .concat(reads ? [{name: 'reads', list: host.read_MB_per_s, colour: 'host', dash: [5, 3]}] : []), digits: 2},
      {title: 'write amplification', lines: [{name: '', list: host.wa, colour: 'copies', dash: []}], digits: 2},
      {title: 'free blocks', lines: [{name: '', list: host.free_superblocks, colour: 'ink', dash: []}], digits: 0,
       limit: recording.gc.start_free_superblocks}
    ];
    for (const panel of this.panels) panel.most = this.most(panel);
  }

  // Upper end of the axis. Near the 99th percentile if the maximum is far above, so that a spike does not flatten the rest.
  most(panel) {
    const values = [].concat(...panel.lines.map(line => line.list.filter(value => value !== null))).sort((a, b) => a - b);
    if (values.length === 0) return 1;
    const largest = values[values.length - 1], usual = values[Math.floor((values.length - 1) * 0.99)];
    return (largest > 2 * usual && usual > 0 ? usual * 1.3 : largest * 1.08) || 1;
  }

  draw(picture) {
    const {context, width, height} = prepared(this.canvas);
    const axis = this.axis = new TimeAxis(this.recording, width);
    const bottom = height - MARGIN.bottom;
    this.drawPhases(context, axis, bottom);
    const high = (bottom - MARGIN.top) / this.panels.length;
    this.panels.forEach((panel, i) => {
      const top = MARGIN.top + i * high;
      this.drawPanel(context, axis, panel, top + 16, top + high - 2, picture);
    });
    drawTimes(context, axis, bottom);
    drawCursor(context, axis, picture, MARGIN.top, bottom);
  }

  drawPhases(context, axis, bottom) {
    let free = 0;  // x where the row of phase names is free
    this.recording.phases.forEach((phase, i) => {
      const from = axis.x(Math.max(axis.from, phase.from_s)), to = axis.x(Math.min(axis.to, phase.to_s));
      if (to <= from) return;
      if (i % 2 === 1) {
        context.fillStyle = COLOUR.band;
        context.fillRect(from, 0, to - from, bottom);
      }
      // A name that is too long for its phase is right-aligned to the phase's end and may extend over the previous phase.
      const wide = context.measureText(phase.name).width + 6;
      const at = Math.max(free, Math.min(from + 3, to - wide));
      if (at + wide <= Math.max(to, from + 3) + 1) {
        label(context, phase.name, at, 11);
        free = at + wide;
      }
    });
  }

  drawPanel(context, axis, panel, top, bottom, picture) {
    const y = value => bottom - (bottom - top) * Math.min(1, value / panel.most);
    this.drawScale(context, axis, panel, y, bottom - top);
    context.save();
    context.beginPath();
    context.rect(axis.left, top - 2, axis.width, bottom - top + 4);
    context.clip();
    for (const line of panel.lines) this.drawLine(context, axis, line, y);
    context.restore();
    const values = panel.lines.map(line => this.valueOf(line, picture, panel));
    drawTitle(context, panel.title + ': ' + values.join(', '), axis.left + 4, top - 4);
  }

  valueOf(line, picture, panel) {
    const value = line.list[picture];
    return (line.name ? line.name + ' ' : '') + (value === null ? '–' : value.toFixed(panel.digits));
  }

  drawScale(context, axis, panel, y, high) {
    const step = stepFor(panel.most, Math.max(2, Math.floor(high / 14)));
    const across = at => [[axis.left, at], [axis.left + axis.width, at]];
    for (let value = 0; value <= panel.most; value += step) {
      stroke(context, across(Math.round(y(value)) + 0.5), COLOUR.line);
      label(context, String(Number(value.toPrecision(4))), axis.left - 5, y(value) + 4, 'right');
    }
    if (!(panel.limit > 0)) return;
    stroke(context, across(y(panel.limit)), COLOUR.chosen, 1, [4, 3]);
    label(context, 'collection begins at ' + panel.limit, axis.left + axis.width - 3, y(panel.limit) - 4, 'right');
  }

  // A picture without a value is a gap.
  drawLine(context, axis, line, y) {
    let points = [];
    const end = () => {
      stroke(context, points, COLOUR[line.colour], 1.6, line.dash);
      points = [];
    };
    line.list.forEach((value, picture) => value === null ? end() : points.push([axis.of(picture), y(value)]));
    end();
  }
}

// Valid, stale and free pages of one superblock over all pictures, with a tick below for each erase.
class LifeChart {
  constructor(canvas, recording) {
    this.canvas = canvas;
    this.recording = recording;
  }

  draw(picture, block) {
    const {context, width, height} = prepared(this.canvas);
    const axis = this.axis = new TimeAxis(this.recording, width);
    const top = 26, bottom = height - MARGIN.bottom, pages = this.recording.pages;
    context.fillStyle = COLOUR.free;
    context.fillRect(axis.left, top, axis.width, bottom - top);
    const high = (bottom - top) / pages;
    const cell = p => this.recording.cell(p, block);
    this.drawArea(context, axis, bottom, COLOUR.stale, p => high * (cell(p).valid + cell(p).stale));
    this.drawArea(context, axis, bottom, COLOUR.valid, p => high * cell(p).valid);
    this.drawErases(context, axis, block, top, bottom);
    label(context, String(pages), axis.left - 5, top + 9, 'right');
    label(context, '0', axis.left - 5, bottom, 'right');
    drawTitle(context, 'block ' + block + ' over time, pages', axis.left + 4, 12);
    const right = axis.left + axis.width;
    label(context, 'erased', right, 12, 'right');
    triangle(context, right - context.measureText('erased').width - 8, 8, 8, true, COLOUR.ink);
    drawTimes(context, axis, bottom);
    drawCursor(context, axis, picture, top - 8, bottom);
  }

  drawArea(context, axis, bottom, colour, heightOf) {
    const edge = Array.from({length: this.recording.pictures}, (_, picture) => [axis.of(picture), bottom - heightOf(picture)]);
    fill(context, [[axis.left, bottom], ...edge, [axis.left + axis.width, bottom]], colour);
  }

  drawErases(context, axis, block, top, bottom) {
    for (let picture = 1; picture < this.recording.pictures; ++picture) {
      if (this.recording.cell(picture, block).erases === this.recording.cell(picture - 1, block).erases) continue;
      const x = Math.round(axis.of(picture)) + 0.5;
      stroke(context, [[x, top - 4], [x, bottom]], COLOUR.ink);
      triangle(context, x, top - 6, 8, true, COLOUR.ink);
    }
  }
}
