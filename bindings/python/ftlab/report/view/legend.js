// The legend: one button per name that hides and shows it.

function drawLegend(plot) {
  const legend = document.getElementById(plot.element.id + '-legend');
  const marks = new Map();
  for (const panel of plot.figure.panels)
    for (const mark of panel.marks)
      if (mark.kind !== 'guide' && mark.kind !== 'cells') marks.set(mark.name, (marks.get(mark.name) || []).concat([mark]));
  if (marks.size < 2) return;
  for (const [name, drawn] of marks) legend.append(legendButton(plot, name, drawn));
}
function legendButton(plot, name, drawn) {
  const button = document.createElement('button'), [mark] = drawn;
  const hue = drawn.every(other => other.hue === mark.hue) ? mark.hue : undefined;
  button.type = 'button';
  button.className = 'entry';
  button.setAttribute('aria-pressed', 'true');
  button.title = 'hide or show';
  const sample = make('svg', {width: 26, height: 12, 'aria-hidden': 'true'}, button);
  drawSample(sample, {...mark, hue});
  button.append(name);
  button.addEventListener('click', () => {
    const hide = !plot.hidden.has(name);
    plot.hidden[hide ? 'add' : 'delete'](name);
    button.setAttribute('aria-pressed', String(!hide));
    plot.draw();
  });
  return button;
}
function drawSample(sample, mark) {
  if (mark.kind === 'curve' && mark.style !== 'points')
    make('path', {d: 'M1,6H25', stroke: colour(mark.hue), 'stroke-width': 2, 'stroke-dasharray': mark.dash || 'none'}, sample);
  if (mark.kind === 'curve' && (mark.style === 'points' || mark.style === 'both'))
    make('path', {d: symbolPath(mark.symbol, 4), transform: 'translate(13,6)', fill: colour(mark.hue), stroke: colour(mark.hue)}, sample);
  if (mark.kind !== 'curve') make('rect', {x: 1, y: 1, width: 24, height: 10, fill: colour(mark.hue),
    'fill-opacity': mark.kind === 'ribbon' ? 0.3 : 1}, sample);
  if (mark.pattern) make('path', {d: mark.pattern === 1 ? 'M1,11L11,1M9,11L19,1M17,11L25,3' : 'M6,1V11M13,1V11M20,1V11', stroke: 'var(--paper)', 'stroke-width': 2}, sample);
}
