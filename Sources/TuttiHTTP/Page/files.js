import { Problem, sendFile } from "./api.js";
import { h, iconButton } from "./dom.js";
import { say } from "./store.js";
import { texts } from "./texts.js";

const words = texts.files;
/** Bytes of a file that the service takes. */
const mostBytes = 2 ** 30;
const byName = new Intl.Collator(undefined, { numeric: true });

/** Files that are being sent, each with how far it is and a button to give it up. */
export class FileList {
  #waiting = [];
  #isSending = false;

  constructor() {
    this.element = h("ul", { class: "list files", hidden: true, "aria-label": words.title });
  }

  /** Sends files one after the other, in the order of their names; `done(input, file)` gets each as an input. */
  send(files, done) {
    for (const file of [...files].sort((a, b) => byName.compare(a.name, b.name))) this.#waiting.push(this.#row(file, done));
    this.element.hidden = false;
    this.#sendAll();
  }

  #row(file, done) {
    const stop = new AbortController();
    const progress = h("progress", { max: "1", value: "0", "aria-label": words.progress(file.name) });
    const cancel = iconButton("close", words.cancel(file.name), () => stop.abort());
    const element = h("li", {}, h("span", { class: "name" }, file.name), progress, cancel);
    this.element.append(element);
    return { file, done, stop, progress, element };
  }

  async #sendAll() {
    if (this.#isSending) return;
    this.#isSending = true;
    while (this.#waiting.length) await this.#sendOne(this.#waiting.shift());
    this.#isSending = false;
  }

  async #sendOne({ file, done, stop, progress, element }) {
    try {
      if (stop.signal.aborted) return;
      if (file.size > mostBytes) throw new Problem(413, words.tooLarge(file.name));
      const { uri } = await sendFile(file, part => (progress.value = part), stop.signal);
      await done({ uri }, file);
    } catch (error) {
      if (!stop.signal.aborted) say(error.message);
    } finally {
      const hadFocus = element.contains(document.activeElement);
      element.remove();
      if (hadFocus) this.element.previousElementSibling?.querySelector("button")?.focus();
      this.element.hidden = !this.element.children.length;
    }
  }
}

/** A button that lets a person choose files; `use(files)` gets them. */
export function fileButton(text, use, { multiple = false, accept = "audio/*,.flac,.opus,.m4b,.mka,.ape,.wv" } = {}) {
  const input = h("input", {
    type: "file", accept, multiple, hidden: true, "aria-hidden": "true", tabindex: "-1",
    onchange: () => {
      if (input.files.length) use([...input.files]);
      input.value = "";
    },
  });
  return h("span", {}, h("button", { type: "button", onclick: () => input.click() }, text), input);
}

const hasFiles = event => event.dataTransfer?.types.includes("Files");

/** Lets files be dropped onto an element. */
export function takeFiles(element, use) {
  element.addEventListener("dragover", event => {
    if (!hasFiles(event)) return;
    event.preventDefault();
    event.dataTransfer.dropEffect = "copy";
    element.classList.add("target");
  });
  element.addEventListener("dragleave", event => {
    if (!element.contains(event.relatedTarget)) element.classList.remove("target");
  });
  element.addEventListener("drop", event => {
    element.classList.remove("target");
    if (!hasFiles(event)) return;
    event.preventDefault();
    use([...event.dataTransfer.files]);
  });
}

// A file that misses its place does not take the page away.
for (const kind of ["dragover", "drop"]) {
  document.addEventListener(kind, event => {
    if (!hasFiles(event) || event.defaultPrevented) return;
    event.preventDefault();
    event.dataTransfer.dropEffect = "none";
  });
}
