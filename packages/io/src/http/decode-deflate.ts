import { InflateDecoder, InflateStage } from './inflate-stage.ts';

/**
 * Undoes `deflate`, which is the zlib format (RFC 9110 §8.4.1.2) but is sent raw by some servers. The first two bytes
 * tell: a zlib header names method 8 and is divisible by 31 (RFC 1950 §2.2).
 */
export class DeflateDecoder extends InflateDecoder {
	#first = Buffer.alloc(0);
	#over = false;

	override async unpack(chunk: Buffer): Promise<void> {
		if (this.#over) return; // bytes after the stream are not content
		if (this.stage !== undefined) {
			this.#over = (await this.stage.write(chunk)) !== undefined;
			return;
		}
		this.#first = Buffer.concat([this.#first, chunk]);
		if (this.#first.length >= 2) await this.#begin();
	}

	override async finish(): Promise<void> {
		if (this.stage === undefined) await this.#begin();
		if (!this.#over) await this.stage?.end();
	}

	async #begin(): Promise<void> {
		const [method = 0, flags = 0] = this.#first;
		const zlib = (method & 15) === 8 && ((method << 8) | flags) % 31 === 0;
		this.stage = new InflateStage(zlib ? 'zlib' : 'raw', this);
		this.#over = (await this.stage.write(this.#first)) !== undefined;
	}
}
