// A heat map over two lists of names.

function drawField(plot, width) {
  const mark = plot.figure.panels[0].marks[0];
  const left = Math.min(width * 0.35, 16 + 6.8 * Math.max(...mark.rows.map(name => name.length)));
  const wide = (width - left - RIGHT) / mark.columns.length, high = Math.max(26, Math.min(44, 300 / mark.rows.length));
  const values = mark.values.flat().filter(value => value !== null);
  const low = Math.min(...values), most = Math.max(...values);
  const log = low > 0 && most > 100 * low;
  const span = Math.max(most - low, 0.05 * Math.abs(most)) || 1;  // small differences look alike
  const share = value => log ? Math.log(value / low) / Math.log(most / low) : (value - low) / span;
  const usual = values.map(Math.abs).sort((a, b) => a - b)[values.length >> 1];
  const places = values.every(Number.isInteger) ? 0 : Math.min(9, Math.max(0, 3 - Math.floor(Math.log10(usual || 1))));
  const written = value => value.toLocaleString('en-US', {minimumFractionDigits: places, maximumFractionDigits: places}).replaceAll(',', THIN);
  make('text', {x: 2, y: 14, class: 'panel-title'}, plot.svg, titleOf(plot.figure.panels[0].y) + ', ' + written(low) + ' to ' + written(most));
  mark.rows.forEach((row, r) => {
    make('text', {x: left - 6, y: TITLE + high * r + high / 2 + 4, 'text-anchor': 'end', class: 'tick'}, plot.svg, shortened(row, left - 8));
    mark.columns.forEach((column, c) => drawCell(plot, mark, r, c, {left: left + wide * c, top: TITLE + high * r, wide, high}, share, written));
  });
  const bottom = TITLE + high * mark.rows.length;
  mark.columns.forEach((column, c) => make('text', {x: left + wide * (c + 0.5), y: bottom + 16, 'text-anchor': 'middle', class: 'tick'},
    plot.svg, shortened(column, wide - 4)));
  make('text', {x: left + (width - left) / 2, y: bottom + 36, 'text-anchor': 'middle', class: 'axis-title'}, plot.svg, titleOf(plot.figure.x));
  return bottom + FOOT;
}
function shortened(text, room) {
  const most = Math.max(1, Math.floor(room / 6.6));
  return text.length <= most ? text : text.slice(0, Math.max(1, most - 1)) + '…';
}
function drawCell(plot, mark, r, c, {left, top, wide, high}, share, written) {
  const value = mark.values[r][c];
  if (value === null) return;
  const rgb = fieldColour(share(value)), words = mark.rows[r] + ', ' + mark.columns[c];
  const parent = mark.links && mark.links[r][c] ? link(plot.svg, mark.links[r][c], words + ': ' + written(value)) : plot.svg;
  const cell = make('rect', {x: fixed(left + 0.5), y: fixed(top + 0.5), width: fixed(wide - 1), height: fixed(high - 1),
    fill: 'rgb(' + rgb + ')', class: 'cell'}, parent);
  cell.addEventListener('pointermove', event => plot.reader.say([words, valueText(plot.figure.panels[0].y, value)], event));
  const text = written(value);
  if (text.length * 6.8 + 4 < wide)
    make('text', {x: left + wide / 2, y: top + high / 2 + 4, 'text-anchor': 'middle', class: 'in-cell', fill: inkOn(rgb)}, parent, text);
}
