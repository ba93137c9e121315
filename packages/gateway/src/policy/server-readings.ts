import {
	defaultReadings,
	type ReadingPreset,
	type Readings,
	readingPresets,
	unionOfReadings,
} from '@wayleave/protocols/url';

/** Servers that fold letter case, and name themselves unless configured not to. */
const telling: readonly (readonly [RegExp, ReadingPreset])[] = [
	[/\bMicrosoft-IIS\b|\bASP\.NET\b/i, 'iis'],
	[/\bExpress\b/i, 'express'],
	[/\bCaddy\b/i, 'caddy'],
];

/** The server that a `Server` or `X-Powered-By` field names, where more than the default readings follows from it. */
export function serverOf(fields: string): ReadingPreset | undefined {
	return telling.find(([name]) => name.test(fields))?.[1];
}

/** The readings of a site that states none: the default, and those of the server by which it says it is served. */
export function readingsBehind(server: ReadingPreset | undefined): Readings {
	return server === undefined ? defaultReadings : unionOfReadings([defaultReadings, readingPresets[server]]);
}
