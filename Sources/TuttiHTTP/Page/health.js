import { clock, h, iconButton, write } from "./dom.js";
import { soundSettings } from "./sound.js";
import { ahead, figures, group, same, store, watch } from "./store.js";
import { texts } from "./texts.js";

/** Up to where two rooms are heard as one, and from where on as two, µs. */
const [good, poor] = [100, 1_000];

/** How well a room is in step: a level for its colour, and a word or figure. */
export function verdict(room) {
  if (["unreachable", "lost-device", "stalled"].includes(room.state)) return { level: "bad", text: "!" };
  const value = room.state === "playing" ? room.syncErrorP99Us : undefined;
  if (value === undefined) return { level: "none", text: "–" };
  return { level: value <= good ? "good" : value <= poor ? "fair" : "bad", text: micro(value) };
}

const micro = value =>
  value === undefined ? "–" : Math.abs(value) >= 1000 ? `${(value / 1000).toFixed(1)} ms` : `${value.toFixed(Math.abs(value) < 10 ? 1 : 0)} µs`;

const heading = h("h2", { id: "health-title" });
const answer = h("p", { class: "answer" });
const plot = h("canvas", { width: "600", height: "180", role: "img", "aria-label": texts.health.plot });
const caption = h("p", { class: "quiet" }, texts.health.plot);
const table = h("dl");
const sound = soundSettings();
const dialog = h("dialog", { "aria-labelledby": "health-title" },
  h("div", { class: "title" }, heading, iconButton("close", texts.health.close, () => dialog.close())),
  answer, sound.element, plot, caption, table);
let name = null;

export function start() {
  document.body.append(dialog);
  watch(() => dialog.open && show());
}

export function open(room) {
  name = room;
  sound.open(room);
  show();
  dialog.showModal();
  requestAnimationFrame(drawPlot);
}

function current() {
  return group()?.status?.rooms.find(room => same(room.name, name)) ?? store.rooms.find(room => same(room.name, name));
}

function show() {
  const room = current();
  if (!room) return;
  write(heading, texts.health.title(room.name));
  const { level } = verdict(room);
  const words = { good: texts.health.yes, fair: texts.health.nearly, bad: room.message || texts.health.no };
  write(answer, words[level] ?? texts.health.unknown);
  answer.dataset.level = level;
  const times = count => (count ? texts.health.times(count) : texts.health.never);
  const ppm = value => (value === undefined ? "–" : `${value.toFixed(1)} ppm`);
  const rows = [
    [texts.health.within, micro(room.syncErrorP99Us)],
    [texts.health.now, micro(room.syncErrorUs)],
    [texts.health.buffered, clock(ahead(room.loaded, group()?.status?.position ?? 0))],
    [texts.health.stalls, times(room.stalls)],
    [texts.health.xruns, times(room.xruns)],
    [texts.health.clock, micro(room.clockOffsetSigmaUs)],
    [texts.health.trip, micro(room.rttUs)],
    [texts.health.card, ppm(room.dacPpm)],
    [texts.health.format, room.format ?? "–"],
    [texts.health.codec, room.codec ?? "–"],
    [texts.health.delay, `${room.outputDelayMs ?? 0} ms`],
    [texts.health.address, room.address ?? "–"],
  ];
  if (table.children.length !== rows.length) {
    table.replaceChildren(...rows.map(([term]) => h("div", {}, h("dt", {}, term), h("dd"))));
  }
  rows.forEach(([, value], index) => write(table.children[index].lastChild, value));
}

/** Draws in every frame while it can be seen, so that the line moves evenly between two figures. */
function drawPlot() {
  if (!dialog.open) return;
  requestAnimationFrame(drawPlot);
  const list = figures.get(current()?.name) ?? [];
  const context = plot.getContext("2d");
  const style = getComputedStyle(plot);
  const [width, height] = [plot.width, plot.height];
  context.clearRect(0, 0, width, height);
  const most = Math.max(10, ...list.map(figure => Math.max(figure.p99, Math.abs(figure.now)))) * 1.15;
  const y = value => height / 2 - (value / most) * (height / 2 - 8);
  const x = time => width - ((performance.now() - time) / 120_000) * width;
  context.strokeStyle = style.getPropertyValue("--line");
  context.fillStyle = style.getPropertyValue("--quiet");
  context.font = "14px system-ui, sans-serif";
  for (const value of [most / 1.15, 0, -most / 1.15]) {
    context.beginPath();
    context.moveTo(0, y(value));
    context.lineTo(width, y(value));
    context.stroke();
    context.fillText(micro(value), 4, y(value) - 3);
  }
  context.fillStyle = style.getPropertyValue("--soft");
  context.beginPath();
  list.forEach((figure, index) => context[index ? "lineTo" : "moveTo"](x(figure.at), y(figure.p99)));
  [...list].reverse().forEach(figure => context.lineTo(x(figure.at), y(-figure.p99)));
  context.fill();
  context.strokeStyle = style.getPropertyValue("--accent");
  context.lineWidth = 2;
  context.beginPath();
  list.forEach((figure, index) => context[index ? "lineTo" : "moveTo"](x(figure.at), y(figure.now)));
  context.stroke();
  context.lineWidth = 1;
}
