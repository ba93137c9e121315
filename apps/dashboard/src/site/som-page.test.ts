import { expect, it } from 'vitest';
import { pageOfSom } from './som-page.ts';

it('U2-46: a request to the SOM endpoint shows the page that it asked for', () => {
	const site = 'https://harbour.example';
	const som = (url: string) => pageOfSom(`/v1/som?format=som&url=${encodeURIComponent(url)}`, site);
	expect(som('https://harbour.example/tides?day=2')).toBe('/tides?day=2');
	expect(som('https://elsewhere.example/tides')).toBe('https://elsewhere.example/tides');
	expect(som('no url')).toBeUndefined();
	expect(pageOfSom('/v1/som', site)).toBeUndefined();
	expect(pageOfSom('/redirect?url=https%3A%2F%2Fharbour.example%2F', site)).toBeUndefined();
});
