/** The first bytes of a body; what lies behind the limit is not asked for. */
export async function readUpTo(
	response: Response,
	limit: number,
	signal?: AbortSignal,
): Promise<{ readonly bytes: Uint8Array; readonly cut: boolean }> {
	const chunks: Uint8Array[] = [];
	let size = 0;
	for await (const chunk of response.body ?? []) {
		signal?.throwIfAborted();
		chunks.push(chunk);
		size += chunk.length;
		if (size > limit) break;
	}
	return { bytes: Buffer.concat(chunks).subarray(0, limit), cut: size > limit };
}
