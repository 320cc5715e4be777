// Draws every figure of the page from the JSON next to it, and lets the reader change scale and colours.

const PRINTED = 690;  // pixels between the margins of an A4 page

const plots = new Map();
document.querySelectorAll('.plot').forEach(element => {
  const figure = JSON.parse(document.getElementById(element.id + '-data').textContent);
  element.plot = new Plot(element, figure);
  plots.set(element.id, element.plot);
});

document.querySelectorAll('button.scale').forEach(button => {
  button.addEventListener('click', () => {
    const toLog = button.getAttribute('aria-pressed') !== 'true';
    button.setAttribute('aria-pressed', String(toLog));
    plots.get(button.dataset.plot).setLog(toLog);
  });
});
document.querySelectorAll('button.whole').forEach(button => {
  button.addEventListener('click', () => {
    const plot = plots.get(button.dataset.plot);
    plot.zoomTo(null);
    plot.element.focus();
  });
});

function drawFor(width) {
  plots.forEach(plot => {
    plot.width = width;
    plot.draw();
  });
}
window.addEventListener('beforeprint', () => drawFor(PRINTED));
window.addEventListener('afterprint', () => drawFor(null));

// Opens and scrolls to the row or run that a link points to.
function openTarget() {
  const target = location.hash.length > 1 && document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (!target) return;
  for (let around = target.closest('details'); around; around = around.parentElement.closest('details')) around.open = true;
  target.scrollIntoView({block: 'center'});
}
window.addEventListener('hashchange', openTarget);
openTarget();
