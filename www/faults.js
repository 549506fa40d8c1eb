// @ts-check
// What was thrown, as a failure; `errors.js` puts failures into words. Knows no document, so that workers can use it.

/** @typedef {import('./types.d.ts').Failure} Failure */

/** What an error says. @param {unknown} error */
export function messageOf(error) {
  return error instanceof Error ? error.message : String(error);
}

/** A failure that the page found itself. @param {Failure['kind']} kind @param {string} message @param {string | null} [hint] @returns {Failure} */
export function failureAs(kind, message, hint = null) {
  return { kind, message, path: null, offset: null, hint };
}

/** What the core throws is an `Error` with the failure as its cause; anything else is a fault of ours. @param {unknown} error @returns {Failure} */
export function failureOf(error) {
  return error instanceof Error && error.cause ? /** @type {Failure} */ (error.cause) : failureAs('crash', String(error));
}

/** The fault that ended a worker. @param {ErrorEvent} event */
export function faultOf(event) {
  return failureAs('crash', event.message ?? 'the worker stopped');
}
