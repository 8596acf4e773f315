import { h, iconButton, KeyedList, write } from "./dom.js";
import { fileButton, FileList } from "./files.js";
import { ask, group, isGuest, readSchedules, say, store, watch } from "./store.js";
import { texts } from "./texts.js";
import { canRecord, recorder } from "./voice.js";

const words = texts.alarm;

function field(name, placeholder, required = true) {
  return h("input", { type: "text", name, placeholder, "aria-label": placeholder, required });
}

export function start(element) {
  const [announcement, when, what] = [field("say", texts.sayAddress), field("when", words.whenHint), field("what", texts.address)];
  const fade = h("input", { type: "checkbox", checked: true });
  const list = h("ul", { class: "list" });
  const heading = h("h2", { id: "later-title" }, texts.later);
  const files = new FileList();
  const sayFile = file => files.send([file], async input => (await announce(input)) && say(texts.said));
  const none = h("p", { class: "quiet" }, words.none);
  const alarm = h("form", {
    class: "row", onsubmit: async event => {
      event.preventDefault();
      const order = { inputs: [{ uri: what.value.trim() }], rooms: roomNames(), any: true };
      if (fade.checked) order.fade = 60;
      const answer = await ask("POST", "/schedules", { when: when.value.trim(), order });
      if (!answer) return;
      when.value = what.value = "";
      readSchedules();
    },
  }, when, what, fileButton(texts.files.choose, chosen => files.send(chosen, input => (what.value = input.uri))),
    h("label", {}, fade, words.fade), h("button", { type: "submit" }, words.make));
  element.setAttribute("aria-labelledby", "later-title");
  element.append(...[
    heading,
    h("form", {
      class: "row", onsubmit: async event => {
        event.preventDefault();
        if (await announce({ uri: announcement.value.trim() })) announcement.value = "";
      },
    }, announcement, h("button", { type: "submit" }, texts.say), fileButton(texts.files.say, ([file]) => sayFile(file))),
    canRecord() ? recorder(sayFile) : null,
    files.element,
    alarm,
    list, none,
  ].filter(Boolean));
  const rows = new KeyedList(list, row);
  watch(() => {
    write(heading, isGuest() ? texts.announcements : texts.later);
    alarm.hidden = list.hidden = isGuest();
    rows.show(store.schedules, schedule => schedule.number);
    none.hidden = isGuest() || Boolean(store.schedules.length);
  });
}

/** Lets the group that is shown hear something. */
const announce = input => ask("POST", "/say", { inputs: [input], ...place() });

const place = () => (group()?.isNamed ? { groups: [group().name] } : { rooms: roomNames() });

const roomNames = () => (group()?.rooms ?? store.rooms.map(room => room.name)).map(text => text.split("@")[0]);

function row(schedule) {
  const text = h("span", { class: "name" });
  const problem = h("span", { class: "quiet" });
  const element = h("li", { class: "track-row" }, h("div", { class: "entry" }, text, problem),
    iconButton("close", words.cancel(schedule.when), async () => {
      await ask("DELETE", `/schedules/${schedule.number}`);
      readSchedules();
    }));
  return {
    element,
    show(now) {
      write(text, `${now.when} — ${now.group}`);
      const next = now.next && new Date(now.next * 1000).toLocaleString([], { weekday: "short", hour: "2-digit", minute: "2-digit" });
      write(problem, now.problem ?? next ?? "");
    },
  };
}
