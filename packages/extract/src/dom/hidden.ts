import type { Element } from './node.ts';

const HIDDEN_STYLE =
	/(?:^|;)\s*(?:display\s*:\s*none|visibility\s*:\s*hidden|clip\s*:\s*rect\((?:\s*[01](?:px)?[\s,]*){4}\)|left\s*:\s*-(?:9{4,5}|10{4,5})(?:px)?|left\s*:\s*-9{3,4}r?em)\s*(?:!important\s*)?(?:;|$)/i;
/** Helper classes whose only purpose is to show text to screen readers or to nobody. */
const HIDDEN_CLASS =
	/(?:^|\s)(?:visually-?hidden(?:-focusable)?|sr-?only(?:-focusable)?|screen-?reader(?:s?-(?:only|text))?|hidden-?visually|a11y-hidden|u-hidden(?:-visually)?|is-hidden|element-invisible|d-none)(?=\s|$)/i;
/** Classes of the same set that come with "but shown on wide screens". */
const SHOWN_CLASS = /(?:^|\s)d-(?:sm|md|lg|xl|xxl|print)-(?:block|flex|inline|inline-block|grid|table)(?=\s|$)/i;

/**
 * Whether a reader of the rendered page does not see the element, as far as the markup alone tells:
 * `hidden`, `aria-hidden=true`, inline styles that show nothing or put it out of sight, and the usual helper classes.
 */
export function isHidden(element: Element): boolean {
	const { attributes } = element;
	if (attributes.hidden !== undefined && attributes.hidden !== 'until-found') return true;
	if (attributes['aria-hidden']?.trim().toLowerCase() === 'true') return true;
	const { style } = attributes;
	if (style !== undefined && style.length < 10_000 && HIDDEN_STYLE.test(style)) return true;
	const name = attributes.class;
	return name !== undefined && name.length < 2_000 && HIDDEN_CLASS.test(name) && !SHOWN_CLASS.test(name);
}
