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
