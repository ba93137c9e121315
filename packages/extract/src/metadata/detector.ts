// Where no `require` can load the detector at its first use: browsers, the edge, most bundlers.
export { detectAll } from 'tinyld';
