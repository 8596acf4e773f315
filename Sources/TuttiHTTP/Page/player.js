import { picture, segment } from "./api.js";
import { clock, draw, h, icon, iconButton, label, title, write } from "./dom.js";
import { ahead, askGroup, behind, forgetWish, group, newest, position, shown, store, watch, wish } from "./store.js";
import { texts } from "./texts.js";
import * as tracks from "./tracks.js";

const art = h("img", { class: "art", alt: "", width: "320", height: "320", hidden: true });
const noArt = h("div", { class: "art none", "aria-hidden": "true" });
const name = h("h2", { id: "now" });
const by = h("p", { class: "by" });
const state = h("p", { class: "quiet" });

const loaded = h("div", { class: "loaded", "aria-hidden": "true" });
const seek = h("input", {
  type: "range", min: "0", max: "1", step: "1", value: "0", "aria-label": texts.position,
  oninput: () => (seeking = Number(seek.value)),
  onchange: () => jumpTo(Number(seek.value)),
});
const [at, length] = [h("span"), h("span")];
const live = h("button", { class: "live", hidden: true, onclick: () => askGroup("POST", "seek", { to: "live" }) });
let seeking = null;

const play = iconButton("play", texts.play, playOrPause, { class: "big" });
const buttons = h("div", { class: "buttons" },
  iconButton("previous", texts.previous, () => askGroup("POST", "previous")),
  play,
  iconButton("next", texts.next, () => askGroup("POST", "next")),
  iconButton("stop", texts.stop, () => askGroup("POST", "stop")));

const volume = h("input", {
  type: "range", min: "0", max: "100", step: "1", "aria-label": texts.groupVolume, title: texts.groupVolumeHint,
  oninput: () => setVolume(Number(volume.value)),
});
const sleep = h("select", { "aria-label": texts.sleep, onchange: setSleep });
const volumeRow = h("div", { class: "row" }, icon("loud"), volume, sleep);

export function start(element) {
  for (const minutes of [0, 15, 30, 45, 60, 90]) {
    sleep.append(h("option", { value: minutes }, minutes ? texts.sleepIn(minutes) : texts.sleepOff));
  }
  element.setAttribute("aria-labelledby", "now");
  element.append(
    h("div", { class: "picture" }, art, noArt), name, by,
    h("div", { class: "timeline" }, h("div", { class: "track" }, loaded, seek), h("div", { class: "times" }, at, length, live)),
    buttons, volumeRow);
  tracks.start(element);
  element.append(state);
  watch(show);
  setInterval(() => !document.hidden && showTime(), 250);
}

const key = what => `${group()?.name}/${what}`;

function show() {
  const status = group()?.status;
  const item = status?.item;
  write(name, item ? title(item) : texts.nothingPlays);
  write(by, item ? [item.artist, item.album ?? item.station].filter(Boolean).join(" — ") : texts.nothingPlaysHint);
  const now = shown(key("state"), status?.state);
  label(play, isOn(now) ? texts.pause : texts.play);
  draw(play.firstChild, isOn(now) ? "pause" : "play");
  for (const button of buttons.children) button.disabled = !status;
  showVolume(status);
  const left = status?.sleep;
  sleep.disabled = !status;
  if (document.activeElement !== sleep) sleep.value = nearestSleep(left);
  const words = [texts.states[now], ...(left ? [texts.sleepLeft(Math.ceil(left / 60))] : [])];
  const held = minutesAhead(status);
  if (held) words.push(texts.held(held));
  write(state, words.filter(Boolean).join(" · "));
  showLoaded(status);
  showTime();
  showArt(item);
}

function nearestSleep(left) {
  if (!left) return "0";
  const option = [...sleep.options].find(option => Number(option.value) * 60 >= left);
  return option?.value ?? "90";
}

// MARK: Transport

const isOn = state => ["playing", "buffering", "starting"].includes(state);

async function playOrPause() {
  const pauses = isOn(shown(key("state"), group()?.status?.state));
  wish(key("state"), pauses ? "paused" : "playing");
  if (!(await askGroup("POST", pauses ? "pause" : "resume"))) forgetWish(key("state"));
}

async function jumpTo(seconds) {
  seeking = seconds;
  await askGroup("POST", "seek", { position: seconds });
  seeking = null;
}

function showTime() {
  const status = group()?.status;
  const duration = status?.item?.duration;
  const now = seeking ?? position(status);
  seek.disabled = !duration;
  seek.max = Math.ceil(duration ?? 1);
  if (seeking === null) seek.value = now;
  const words = [clock(now), duration ? clock(duration) : ""];
  seek.setAttribute("aria-valuetext", texts.positionOf(...words));
  write(at, status ? words[0] : "");
  write(length, words[1]);
  showLive(behind(status));
}

/** Stations and live sources: whether what is heard is live, and the way back to that. */
function showLive(late) {
  live.hidden = late === undefined;
  live.disabled = !(late >= 2);
  write(live, live.disabled ? texts.live : texts.backToLive(clock(late)));
}

/** What every room holds, drawn behind the position. */
function showLoaded(status) {
  const duration = status?.item?.duration;
  const ranges = duration ? heldByAll(status.rooms) : [];
  while (loaded.children.length > ranges.length) loaded.lastChild.remove();
  while (loaded.children.length < ranges.length) loaded.append(h("i"));
  ranges.forEach(([from, to], index) => {
    const part = loaded.children[index].style;
    part.left = `${(Math.max(from, 0) / duration) * 100}%`;
    part.width = `${(Math.max(Math.min(to, duration) - Math.max(from, 0), 0) / duration) * 100}%`;
  });
}

function heldByAll(rooms) {
  const lists = rooms.map(room => room.loaded).filter(list => list !== undefined);
  if (!lists.length) return [];
  return lists.reduce((all, list) =>
    all.flatMap(([a, b]) => list.map(([c, d]) => [Math.max(a, c), Math.min(b, d)]).filter(([from, to]) => to > from)));
}

function minutesAhead(status) {
  if (!status || status.state === "stopped") return "";
  const seconds = ahead(heldByAll(status.rooms), position(status));
  return seconds ? clock(seconds) : "";
}

// MARK: Volume and sleep

const sendVolume = newest(value => askGroup("PUT", "volume", { volume: value }));

function setVolume(value) {
  wish(key("volume"), value);
  sendVolume(value);
}

function showVolume(status) {
  const told = status?.rooms.map(room => room.volume).filter(value => value !== undefined);
  volume.disabled = !told?.length;
  if (told?.length) volume.value = shown(key("volume"), Math.round(Math.max(...told)));
}

async function setSleep() {
  const seconds = Number(sleep.value) * 60;
  if (seconds) await askGroup("PUT", "sleep", { seconds });
  else await askGroup("DELETE", "sleep");
}

// MARK: Art

let shownArt = null;

async function showArt(item) {
  const wanted = item ? `${group().name}/${item.id}/${item.artwork ?? item.uri}` : null;
  if (wanted === shownArt) return;
  shownArt = wanted;
  write(noArt, item ? [...title(item)][0]?.toUpperCase() ?? "" : "");
  const bytes = item ? await picture(`/groups/${segment(group().name)}/artwork?size=640`) : null;
  if (shownArt !== wanted) return;
  if (art.src) URL.revokeObjectURL(art.src);
  art.hidden = !bytes;
  noArt.hidden = Boolean(bytes);
  if (bytes) art.src = URL.createObjectURL(bytes);
  store.art = bytes ? art.src : null;
}

