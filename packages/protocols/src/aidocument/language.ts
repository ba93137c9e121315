/** RFC 5646 §2.1, without the irregular tags that were registered before it. */
const wellFormed =
	/^(?:(?:[a-z]{2,3}(?:-[a-z]{3}){0,3}|[a-z]{4,8})(?:-[a-z]{4})?(?:-(?:[a-z]{2}|\d{3}))?(?:-(?:[a-z\d]{5,8}|\d[a-z\d]{3}))*(?:-[a-wyz\d](?:-[a-z\d]{2,8})+)*(?:-x(?:-[a-z\d]{1,8})+)?|x(?:-[a-z\d]{1,8})+)$/i;

/** Whether a text is a well-formed BCP 47 language tag: `en`, `zh-Hant-TW`; not `en_US`. */
export function isLanguageTag(text: string): boolean {
	return wellFormed.test(text);
}
