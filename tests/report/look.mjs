// Usage: node look.mjs PAGE [FOLDER [TEXT]...]
// Opens the page in Chromium, at the widths of a phone and a desktop, light and dark, and says what
// is wrong with it, a line each: also that a TEXT is not there. With FOLDER, unless it is empty, it
// leaves a picture of each there.
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";

import { chromium } from "playwright-core";

const [page, folder, ...texts] = process.argv.slice(2);
const executablePath = process.env.CHROMIUM ?? "/usr/bin/chromium";
if (!page || !existsSync(page) || !existsSync(executablePath)) {
  console.error(`usage: node look.mjs PAGE [FOLDER [TEXT]...], with Chromium at ${executablePath}`);
  process.exit(2);
}

// Runs in the page: what a reader would not forgive.
function faults([dark, texts]) {
  const found = [];
  const say = (text) => found.push(text);
  for (const text of texts) if (!document.body.innerText.includes(text)) say(`it does not say "${text}"`);
  if (document.documentElement.dataset.drawn !== "yes") say("the page has not been drawn to its end");
  if (document.documentElement.scrollWidth > window.innerWidth) say(`it is ${document.documentElement.scrollWidth} wide`);
  const figures = [...document.querySelectorAll("figure")];
  if (figures.length === 0) say("it has no figure");
  for (const figure of figures) {
    const svg = figure.querySelector("svg");
    const box = svg?.getBoundingClientRect();
    if (!svg || box.width < 200 || box.height < 100) say(`${figure.id} is not drawn`);
    else if (svg.querySelectorAll("path").length < 5) say(`${figure.id} is empty`);
    else if (box.right > window.innerWidth) say(`${figure.id} leaves the page`);
    const texts = [...(svg?.querySelectorAll("text") ?? [])].filter((text) => text.textContent.trim() !== "" && !text.closest("[clip-path]"));
    for (const text of texts)
      if (parseFloat(getComputedStyle(text).fontSize) < 10) say(`${figure.id} has small print: ${text.textContent}`);
    const boxes = texts.map((text) => text.getBoundingClientRect());
    for (let i = 0; i < boxes.length; i++)
      for (let j = 0; j < i; j++) {
        const wide = Math.min(boxes[i].right, boxes[j].right) - Math.max(boxes[i].left, boxes[j].left);
        const high = Math.min(boxes[i].bottom, boxes[j].bottom) - Math.max(boxes[i].top, boxes[j].top);
        if (wide > 2 && high > 4) say(`${figure.id} writes "${texts[i].textContent}" over "${texts[j].textContent}"`);
      }
  }
  const brightness = (colour) => colour.match(/\d+/g).slice(0, 3).reduce((sum, part) => sum + Number(part), 0) / 3;
  const style = getComputedStyle(document.body);
  const paper = brightness(style.backgroundColor);
  if (Math.abs(brightness(style.color) - paper) < 120) say("text and paper are alike");
  if (dark !== paper < 128) say(`the paper is ${style.backgroundColor}`);
  return found;
}

// What shows only under the mouse, all over the figures: what should be text and is not makes itself heard
// on the console.
async function hover(tab) {
  for (const figure of await tab.locator("figure svg").all()) {
    await figure.scrollIntoViewIfNeeded();
    const box = await figure.boundingBox();
    for (const [x, y] of [[0.3, 0.3], [0.5, 0.5], [0.7, 0.6]]) await tab.mouse.move(box.x + x * box.width, box.y + y * box.height);
  }
  await tab.waitForTimeout(100);
}

const browser = await chromium.launch({
  executablePath,
  args: ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update", "--disable-sync"],
});
let wrong = 0;
for (const [device, width, height] of [["phone", 390, 844], ["desktop", 1280, 900]])
  for (const colorScheme of ["light", "dark"]) {
    const context = await browser.newContext({ viewport: { width, height }, colorScheme, offline: true });
    const tab = await context.newPage();
    const lines = [];
    tab.on("pageerror", (error) => lines.push(`script error: ${error.message}`));
    tab.on("console", (message) => message.type() === "error" && lines.push(`console: ${message.text()}`));
    tab.on("request", (request) => /^https?:/.test(request.url()) && lines.push(`it asks the network for ${request.url()}`));
    await tab.goto(pathToFileURL(resolve(page)).href);
    lines.push(...(await tab.evaluate(faults, [colorScheme === "dark", texts])));
    await hover(tab);
    if (folder) await tab.screenshot({ path: `${folder}/${device}-${colorScheme}.png`, fullPage: true });
    for (const line of lines) console.log(`${device}, ${colorScheme}: ${line}`);
    wrong += lines.length;
    await context.close();
  }
await browser.close();
process.exit(wrong > 0 ? 1 : 0);
