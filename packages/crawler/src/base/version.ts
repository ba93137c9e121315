/** The version that `X-Agent-Identity` names. */
export const version = '0.1.0';
