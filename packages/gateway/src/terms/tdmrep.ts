/** `/.well-known/tdmrep.json` for a whole site (TDMRep, "TDM file on the origin server"). */
export function formatTdmrep(reservation: 0 | 1, policy: string | undefined): string {
	const rule = {
		location: '/*',
		'tdm-reservation': reservation,
		...(reservation === 1 && policy !== undefined && { 'tdm-policy': policy }),
	};
	return `${JSON.stringify([rule], undefined, '\t')}\n`;
}
