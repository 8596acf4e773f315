import { call } from "./api.js";
import { forgetCovers, lazyCover } from "./covers.js";
import { clock, h, iconButton, write } from "./dom.js";
import { ask, askGroup, group, isGuest, say, store, watch } from "./store.js";
import { texts } from "./texts.js";

const words = texts.library;
const pageSize = 60;
/** Milliseconds without another letter before a search. */
const pause = 200;
const views = {
  artist: { path: "albums", query: { by: "artist" } }, title: { path: "albums", query: { by: "title" } },
  year: { path: "albums", query: { by: "year" } }, newest: { path: "albums", query: { by: "added" } },
  lately: { path: "albums", query: { by: "played" } }, artists: { path: "album-artists" }, genres: { path: "genres" },
  composers: { path: "composers" }, years: { path: "years" }, favourites: { path: "favourites" },
};

const search = h("input", {
  type: "search", name: "q", placeholder: words.search, "aria-label": words.search, maxlength: "200",
  oninput: () => {
    clearTimeout(timer);
    timer = setTimeout(open, pause);
  },
});
const view = h("select", { "aria-label": words.view, onchange: () => { search.value = ""; open(); } });
const back = h("button", { type: "button", hidden: true, onclick: () => goBack() }, words.back);
const head = h("div", { class: "head", tabindex: "-1" });
const names = h("ul", { class: "stations" });
const albums = h("ul", { class: "covers" });
const tracks = h("ul", { class: "list" });
const more = h("button", { type: "button", hidden: true, onclick: () => read(shown.place, shown.next) }, words.more);
const none = h("p", { class: "quiet", hidden: true, role: "status" });

let timer = 0;
/** What is shown: `place` is `{ path, query }`, `next` how many entries are there already. */
let shown = null;
/** Where somebody came from. */
let trail = [];
let seenRevision;

/** The music library: search as you type, albums with their covers, and what is in them. */
export function start(element) {
  for (const name of Object.keys(views)) view.append(h("option", { value: name }, words.views[name]));
  element.setAttribute("aria-labelledby", "library-title");
  element.append(
    h("div", { class: "title" }, h("h2", { id: "library-title" }, words.title), back),
    h("div", { class: "row" }, search, view), head, names, albums, tracks, more, none);
  element.addEventListener("keydown", event => {
    if (event.key !== "Escape" || back.hidden) return;
    event.preventDefault();
    goBack();
  });
  watch(() => {
    const hides = isGuest() || !store.music?.statistics?.tracks;
    element.hidden = hides;
    if (hides || seenRevision === store.music.statistics.revision) return;
    seenRevision = store.music.statistics.revision;
    // What somebody looks at stays where it is, unless nothing is there yet.
    if (!shown) open();
  });
}

/** Shows what is searched for, or the view that is chosen. */
function open() {
  const text = search.value.trim();
  trail = [];
  read(text ? { path: "search", query: { q: text } } : views[view.value]);
}

function enter(place) {
  trail.push({ ...shown, focus: document.activeElement?.dataset.key });
  read(place).then(() => head.focus());
}

async function goBack() {
  const before = trail.pop();
  if (!before) return;
  await read(before.place);
  const same = before.focus && document.querySelector(`#library [data-key="${CSS.escape(before.focus)}"]`);
  (same ?? search).focus();
}

async function read(place, offset = 0) {
  const isPaged = !place.path.match(/^albums\/\d+$/);
  const query = new URLSearchParams({ ...place.query, ...(isPaged && { offset, limit: pageSize }) });
  const asked = (shown = { ...shown, place, asked: Symbol() }).asked;
  let listing;
  try {
    listing = await call("GET", `/library/${place.path}?${query}`);
  } catch (error) {
    return say(error.message);
  }
  // Somebody has typed on meanwhile.
  if (shown.asked !== asked) return;
  if (!offset) clear();
  shown.next = offset + pageSize;
  show(listing, place);
}

function clear() {
  forgetCovers(albums);
  for (const list of [head, names, albums, tracks]) list.replaceChildren();
}

function show(listing, place) {
  const isOne = /\/\d+$/.test(place.path);
  back.hidden = !trail.length;
  if (place.path.startsWith("albums/") && listing.albums?.[0]) showHead(listing.albums[0], listing.tracks);
  else {
    if (isOne && listing.names?.[0]) head.append(h("h3", {}, listing.names[0].name));
    names.append(...(isOne ? [] : listing.names ?? []).map(nameRow), ...(listing.years ?? []).map(yearRow));
    albums.append(...(listing.albums ?? []).map(albumRow));
  }
  // Of an artist or a genre the albums are enough.
  if (!place.path.startsWith("names/")) {
    tracks.append(...(listing.tracks ?? []).map(track => trackRow(track, listing.tracks, place)));
  }
  more.hidden = !listing.more;
  none.hidden = Boolean(names.children.length + albums.children.length + tracks.children.length);
  write(none, place.path === "search" ? words.nothing : words.empty);
}

const nameRow = ({ id, name }) => h("li", {}, h("button", {
  type: "button", class: "chip", "data-key": `n${id}`, onclick: () => enter({ path: `names/${id}` }),
}, name));

const yearRow = ({ year }) => h("li", {}, h("button", {
  type: "button", class: "chip", "data-key": `y${year}`, onclick: () => enter({ path: `years/${year}` }),
}, year));

function cover(album) {
  const none = h("span", { class: "art none", "aria-hidden": "true" }, [...album.title][0]?.toUpperCase() ?? "");
  return h("span", { class: "cover" }, lazyCover(none, `/library/albums/${album.id}/artwork?size=320`), none);
}

function albumRow(album) {
  const by = [album.artist, album.year].filter(Boolean).join(" · ");
  return h("li", {}, h("button", {
    type: "button", class: "album", "data-key": `a${album.id}`, onclick: () => enter({ path: `albums/${album.id}` }),
  }, cover(album), h("span", { class: "what" }, album.title), h("span", { class: "quiet" }, by)));
}

function showHead(album, list) {
  const inputs = list.filter(track => track.reachable).map(input);
  const facts = [album.artist, album.year, words.tracks(album.tracks), clock(album.duration)];
  head.append(h("h3", {}, album.title), h("p", { class: "quiet" }, facts.filter(Boolean).join(" · ")),
    h("div", { class: "row" }, ...["now", "next", "end"].map(how =>
      h("button", { type: "button", "data-how": how, onclick: () => play(inputs, how, album.title) }, words[how]))));
}

const input = ({ path, title, artist, album, start, end }) => ({ uri: path, title, artist, album, start, end });

function trackRow(track, list, place) {
  const number = place.path.startsWith("albums/") && track.number ? `${track.number}. ` : "";
  const by = place.path.startsWith("albums/") ? track.artist : [track.artist, track.album].filter(Boolean).join(" — ");
  // From an album, what follows plays too.
  const rest = () => (place.path.startsWith("albums/") ? list.slice(list.indexOf(track)) : [track]).filter(one => one.reachable);
  const name = h("button", {
    type: "button", class: "entry", disabled: !track.reachable, title: words.play(track.title),
    onclick: () => play(rest().map(input), "now", track.title),
  }, h("span", {}, number + track.title), h("span", { class: "quiet" }, by ?? ""));
  const heart = iconButton("heart", words.favourite(track.title), async () => {
    const answer = await ask(track.favourite ? "DELETE" : "PUT", `/library/tracks/${track.id}/favourite`);
    if (!answer) return;
    track.favourite = !track.favourite;
    heart.setAttribute("aria-pressed", String(track.favourite));
  }, { "aria-pressed": String(track.favourite), class: "heart" });
  const add = iconButton("add", words.add(track.title), () => play([input(track)], "end", track.title));
  return h("li", { class: "track-row" }, name, h("span", { class: "length" }, track.duration ? clock(track.duration) : ""), heart, add);
}

async function play(inputs, how, title) {
  if (!group()) return say(words.noGroup);
  if (!inputs.length) return say(words.away);
  const answer = how === "now"
    ? await askGroup("POST", "play", { inputs })
    : await askGroup("POST", "queue", { inputs, next: how === "next" });
  if (answer && how !== "now") say(words.added(title));
}
