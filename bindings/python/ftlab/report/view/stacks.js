// Horizontal stacked bars, one per run or share of its requests.

const BAR = 24, BAR_ROOM = 52;  // pixels: height of a bar, and distance from one bar to the next

function drawStacks(plot, width) {
  const [panel] = plot.figure.panels;
  const parts = plot.shown(panel);
  const totals = panel.categories.map((_, row) => parts.reduce((sum, part) => sum + (part.lengths[row] || 0), 0));
  const x = new Scale(plot.figure.x, false, 0, Math.max(...totals, 1e-12) * 1.02, 4, width - RIGHT);
  drawPatterns(plot, parts);
  const bottom = 8 + BAR_ROOM * panel.categories.length;
  for (const {value} of x.ticks(72)) make('path', {d: 'M' + fixed(x.at(value)) + ',4V' + bottom, class: 'grid'}, plot.svg);
  panel.categories.forEach((category, row) => drawStack(plot, parts, category, row, x));
  plot.drawFoot(x, bottom);
  return bottom + FOOT;
}
function drawStack(plot, parts, category, row, x) {
  const top = 8 + BAR_ROOM * row;
  make('text', {x: 4, y: top + 13, class: 'panel-title'}, plot.svg, category);
  let so_far = 0;
  for (const part of parts) {
    const length = part.lengths[row] || 0;
    if (length <= 0) continue;
    const from = x.at(so_far), to = x.at(so_far + length);
    const fill = part.pattern ? 'url(#' + plot.element.id + '-p' + part.pattern + '-' + part.hue + ')' : colour(part.hue);
    const bar = make('rect', {x: fixed(from), y: top + 20, width: fixed(Math.max(0.5, to - from - 1)), height: BAR, fill,
      class: 'part', 'data-name': part.name}, plot.svg);
    bar.addEventListener('pointermove', event => plot.reader.say([category, part.name + ': ' + numberText(length) + ' ' +
      (plot.figure.x.unit || '')].concat(part.words ? part.words[row] : []), event));
    so_far += length;
  }
}
function drawPatterns(plot, parts) {
  const defs = make('defs', {}, plot.svg);
  for (const part of parts.filter(one => one.pattern)) {
    const pattern = make('pattern', {id: plot.element.id + '-p' + part.pattern + '-' + part.hue, width: 8, height: 8,
      patternUnits: 'userSpaceOnUse'}, defs);
    make('rect', {width: 8, height: 8, fill: colour(part.hue)}, pattern);
    make('path', {d: part.pattern === 1 ? 'M0,8L8,0' : 'M4,0V8', stroke: 'var(--paper)', 'stroke-width': 2}, pattern);
  }
}
