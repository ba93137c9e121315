export { type CharsetSource, type DecodedHtml, decodeHtml } from './decode.ts';
