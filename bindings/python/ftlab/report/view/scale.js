// Positions and labels of numbers on an axis.

const FOOT = 44, TITLE = 22, RIGHT = 14;  // pixels below the lowest axis, above a panel and next to it
const THIN = '\u2009';

// At most `digits` digits, with thousands separators.
function numberText(value, digits = 6) {
  if (value === 0) return '0';
  const size = Math.abs(value);
  if (size < 1e-4 || size >= 1e15) return Number(value.toPrecision(4)).toString();
  const places = Math.max(0, digits - Math.max(1, Math.floor(Math.log10(size)) + 1));
  return value.toLocaleString('en-US', {maximumFractionDigits: Math.min(places, 12)}).replaceAll(',', THIN);
}
function titleOf(axis) { return axis.unit ? axis.label + ' (' + axis.unit + ')' : axis.label; }
function valueText(axis, value) { return axis.label + ': ' + numberText(value) + (axis.unit ? ' ' + axis.unit : ''); }

class Scale {
  // Maps numbers from `from` to `to` onto pixels from `start` to `end`.
  constructor(axis, log, from, to, start, end) {
    Object.assign(this, {axis, log, from, to, start, end});
    this.low = this.place(from);
    this.span = this.place(to) - this.low || 1;
  }
  place(value) { return this.log ? Math.log10(value) : value; }
  at(value) {
    if (value === null || value === undefined || (this.log && value <= 0)) return NaN;
    return this.start + (this.place(value) - this.low) / this.span * (this.end - this.start);
  }
  of(pixel) {
    const place = this.low + (pixel - this.start) / (this.end - this.start) * this.span;
    return this.log ? Math.pow(10, place) : place;
  }

  // [{value, text}], about as many as fit with `room` pixels each.
  ticks(room) {
    const most = Math.max(2, Math.floor(Math.abs(this.end - this.start) / room));
    if (this.axis.ticks) return this.named(room);
    const values = this.log ? this.logTicks(most) : this.evenTicks(most);
    const step = values.length > 1 ? Math.abs(values[1] - values[0]) : Math.abs(values[0] || 1);
    const digits = this.log ? 0 : Math.max(0, -Math.floor(Math.log10(step) + 1e-9));
    return values.map(value => ({value, text: this.log ? numberText(value, 3) :
      value.toLocaleString('en-US', {minimumFractionDigits: this.decimals(step, digits),
        maximumFractionDigits: this.decimals(step, digits)}).replaceAll(',', THIN)}));
  }
  // A step of 2.5 needs one digit more than its power of ten.
  decimals(step, digits) {
    const exact = Number((step * Math.pow(10, digits)).toPrecision(6));
    return Math.min(12, Number.isInteger(exact) ? digits : digits + 1);
  }
  named(room) {
    const shown = [];
    for (const [value, text] of this.axis.ticks) {
      const last = shown[shown.length - 1];
      const wide = Math.max(room / 2, (last ? last.text.length + text.length : 0) * 3.6 + 8);
      if (value >= this.from * 0.999 && value <= this.to * 1.001 &&
          (!last || Math.abs(this.at(value) - this.at(last.value)) >= wide)) shown.push({value, text});
    }
    return shown;
  }
  evenTicks(most) {
    const raw = (this.to - this.from) / most;
    const power = Math.pow(10, Math.floor(Math.log10(raw)));
    const step = [1, 2, 2.5, 5, 10].map(factor => factor * power).find(one => one >= raw * 0.999);
    const values = [];
    for (let n = Math.ceil(this.from / step - 1e-9); n * step <= this.to + step * 1e-9; ++n)
      values.push(Number((n * step).toPrecision(12)));
    return values;
  }
  logTicks(most) {
    const decades = Math.log10(this.to / this.from);
    const factors = decades * 3 <= most ? [1, 2, 5] : [1];
    const every = Math.max(1, Math.ceil(decades / most));
    const values = [];
    for (let power = Math.floor(Math.log10(this.from)); power <= Math.ceil(Math.log10(this.to)); ++power) {
      if (power % every !== 0) continue;
      for (const factor of factors) {
        const value = factor * Math.pow(10, power);
        if (value >= this.from * 0.999 && value <= this.to * 1.001) values.push(value);
      }
    }
    return values.length >= 2 ? values : this.evenTicks(Math.min(most, 4)).filter(value => value > 0);
  }
}

// Range of the numbers with a small margin; null without numbers.
function rangeOf(values, axis, log) {
  let low = Infinity, high = -Infinity;
  for (const value of values) {
    if (value === null || value === undefined || (log && value <= 0)) continue;
    low = Math.min(low, value);
    high = Math.max(high, value);
  }
  if (low > high) return null;
  if (log) {
    const room = Math.max(Math.pow(high / low, 0.05), 1.05);
    return [low / room, high * room];
  }
  const room = (high - low) * 0.06 || Math.abs(high) * 0.1 || 1;
  return [axis.from_zero && low >= 0 ? 0 : low - room, high + room];
}
