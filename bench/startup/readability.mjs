// What people write instead: a request, a tree, Readability, Turndown. node readability.mjs URL
import { Readability } from '@mozilla/readability';
import { JSDOM } from 'jsdom';
import TurndownService from 'turndown';

const [url] = process.argv.slice(2);
const html = await (await fetch(url)).text();
const article = new Readability(new JSDOM(html, { url }).window.document).parse();
process.stdout.write(`${article?.title}\n\n${new TurndownService().turndown(article?.content ?? '')}\n`);
