import { extname } from 'node:path';
import { mediaTypeOfFile } from '@wayleave/protocols/file-types';
import { somMediaTypes } from '@wayleave/protocols/som';

const text = (type: string): string => `text/${type}; charset=utf-8`;

const byExtension: Readonly<Record<string, string>> = {
	'.avif': 'image/avif',
	'.css': text('css'),
	'.gif': 'image/gif',
	'.htm': text('html'),
	'.html': text('html'),
	'.ico': 'image/x-icon',
	'.jpeg': 'image/jpeg',
	'.jpg': 'image/jpeg',
	'.js': text('javascript'),
	'.json': 'application/json',
	'.markdown': `${somMediaTypes.markdown}; charset=utf-8`,
	'.md': `${somMediaTypes.markdown}; charset=utf-8`,
	'.mjs': text('javascript'),
	'.mp3': 'audio/mpeg',
	'.mp4': 'video/mp4',
	'.png': 'image/png',
	'.svg': 'image/svg+xml',
	'.txt': text('plain'),
	'.wasm': 'application/wasm',
	'.webm': 'video/webm',
	'.webmanifest': 'application/manifest+json',
	'.webp': 'image/webp',
	'.woff': 'font/woff',
	'.woff2': 'font/woff2',
	'.xhtml': 'application/xhtml+xml; charset=utf-8',
	'.xml': 'application/xml; charset=utf-8',
	'.zip': 'application/zip',
};

/** The `Content-Type` of a file of a site; undefined if its extension says nothing. */
export function mediaTypeOf(file: string): string | undefined {
	if (file.endsWith('.som.json')) return somMediaTypes['SOM/1.0'];
	return byExtension[extname(file).toLowerCase()] ?? mediaTypeOfFile(file);
}
