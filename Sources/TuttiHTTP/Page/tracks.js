import { clock, h } from "./dom.js";
import { askGroup, forgetWish, group, position, shown, watch, wish } from "./store.js";
import { texts } from "./texts.js";

const audio = h("select", { "aria-label": texts.tracks.audio, onchange: () => choose("audioTrack", audio.value) });
const subtitle = h("select", { "aria-label": texts.tracks.subtitle, onchange: () => choose("subtitle", subtitle.value) });
const chapter = h("select", { "aria-label": texts.tracks.chapter, onchange: goToChapter });
const row = h("div", { class: "row tracks", hidden: true }, audio, subtitle, chapter);

/** What there is to choose in a film, where there is anything. */
export function start(element) {
  element.append(row);
  watch(show);
  setInterval(() => !document.hidden && !row.hidden && showChapter(), 1000);
}

const key = what => `${group()?.name}/${what}`;

function show() {
  const status = group()?.status;
  const tracks = status?.item?.tracks;
  const sounds = tracks?.audio ?? [];
  const subtitles = tracks?.subtitles ?? [];
  const chapters = tracks?.chapters ?? [];
  offer(audio, sounds.length > 1 ? [["auto", texts.tracks.audioAuto], ...sounds.map(track => [String(track.number), audioName(track)])] : []);
  offer(subtitle, subtitles.length
    ? [["off", texts.tracks.subtitleOff], ["auto", texts.tracks.subtitleAuto],
      ...subtitles.map(track => [String(track.number ?? track.file), subtitleName(track)])]
    : []);
  offer(chapter, chapters.map(part => [String(part.number), texts.tracks.chapterAt(clock(part.start), part.title ?? texts.tracks.number(part.number))]));
  row.hidden = audio.hidden && subtitle.hidden && chapter.hidden;
  set(audio, shown(key("audioTrack"), chosen(status?.queue.audioTrack, sounds)));
  set(subtitle, shown(key("subtitle"), chosen(status?.queue.subtitle, subtitles)));
  showChapter();
}

/** The option that stands for a choice: a language is the track that it chose. */
function chosen(choice, tracks) {
  if (choice === undefined || ["auto", "off"].includes(choice)) return choice ?? "auto";
  const on = tracks.find(track => track.on);
  return on ? String(on.number ?? on.file) : "auto";
}

/** Only where they differ: an open list is not to change under somebody's hand. */
function offer(select, options) {
  const told = JSON.stringify(options);
  select.hidden = !options.length;
  if (select.dataset.options === told) return;
  select.dataset.options = told;
  select.replaceChildren(...options.map(([value, text]) => h("option", { value }, text)));
}

function set(select, value) {
  if (document.activeElement !== select && select.value !== value) select.value = value;
}

function showChapter() {
  const status = group()?.status;
  const at = position(status) + 0.001;
  const current = (status?.item?.tracks?.chapters ?? []).findLast(part => part.start <= at);
  if (current) set(chapter, String(current.number));
}

// MARK: Names

const languages = new Intl.DisplayNames([document.documentElement.lang || "en"], { type: "language", fallback: "code" });

function languageName(code) {
  try {
    return code ? languages.of(code.replaceAll("_", "-")) : undefined;
  } catch {
    return code;
  }
}

function audioName(track) {
  const name = [languageName(track.language), track.title].filter(Boolean).join(", ") || texts.tracks.number(track.number);
  return texts.tracks.sound(name, track.channels);
}

function subtitleName(track) {
  const file = track.file?.split("/").pop();
  const name = [languageName(track.language), track.title].filter(Boolean).join(", ") || file || texts.tracks.number(track.number);
  return texts.tracks.words(track.forced ? texts.tracks.forced(name) : name);
}

// MARK: Choosing

async function choose(what, value) {
  wish(key(what), value);
  if (!(await askGroup("PATCH", "queue", { [what]: value }))) forgetWish(key(what));
}

async function goToChapter() {
  await askGroup("POST", "chapter", { number: Number(chapter.value) });
  chapter.blur();
}
