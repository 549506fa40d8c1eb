// @ts-check
// Where bytes of an uncommon kind are, in words: state, strings, resources, packed numbers.

import { t } from './texts.js';

/**
 * @param {import('./types.d.ts').BufferView} buffer @param {import('./types.d.ts').Report['options']['runtime']} runtime
 * @returns {string | null}
 */
export function whereWords({ role, place, dtype }, runtime) {
  const packed = dtype === 'int4' || dtype === 'uint4' ? t('where.packed', { count: 2 }) : dtype === 'int2' ? t('where.packed', { count: 4 }) : null;
  const kind = role === 'variable' ? t(`where.variable.${runtime}`)
    : place !== 'heap' ? null
      : dtype === 'string' ? t('where.string') : dtype === 'resource' ? t('where.resource') : dtype === 'variant' ? t('where.variant') : null;
  return [kind, packed].filter((words) => words !== null).join(' ') || null;
}
