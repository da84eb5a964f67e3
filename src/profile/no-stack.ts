/** The frame of what has no stack at all: it could not be unwound, or its source gives none. */
export const NO_STACK = '[no stack]';
