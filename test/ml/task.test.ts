import { describe, expect, it } from 'vitest';
import { readTask, refuseTask } from '../../ml/task/index.ts';
import { heldOutCases } from './task-cases-held-out.ts';
import { languageCases } from './task-cases-languages.ts';
import { moreCases } from './task-cases-more.ts';
import { publishedServed } from './task-cases-published-served.ts';
import { publishedRefusals } from './task-cases-published.ts';
import { refusedCases, servedCases } from './task-cases.ts';

const cases = [
  ...refusedCases,
  ...servedCases,
  ...moreCases,
  ...publishedRefusals,
  ...publishedServed,
  ...heldOutCases,
  ...languageCases,
];

describe('refusals', () => {
  it('are judged on at least 1,500 descriptions', () => expect(cases.length).toBeGreaterThan(1_500));

  it.each(cases)('%j with labels %j: %s', (description, labels, verdict) => {
    expect(refuseTask(description, labels.split('|'))?.category ?? null).toBe(verdict);
  });

  it.each(cases.filter(([, , verdict]) => verdict !== null))(
    '%j with labels %j quote their evidence as it was written',
    (description, labels) => {
      const { evidence, message } = refuseTask(description, labels.split('|'))!;
      expect(evidence.length).toBeGreaterThan(0);
      expect([description, ...labels.split('|')].some((text) => text.includes(evidence))).toBe(true);
      expect(message).toContain(`"${evidence}"`);
    },
  );

  it('quote accents and case as they were written', () => {
    expect(refuseTask('RECONNAISSANCE des Émotions', ['a', 'b'])!.evidence).toBe('Émotions');
    expect(refuseTask('two classes', ['Ｈａｐｐｙ', 'Sad'])!.evidence).toBe('Ｈａｐｐｙ');
    expect(refuseTask('two classes', ['very_happy', 'x'])!.evidence).toBe('very_happy');
  });

  it('quote whole words', () => {
    expect(refuseTask('happy or sad?', ['a', 'b'])!.evidence).toBe('happy or sad');
    expect(refuseTask('emotions: calm or angry', [])!.evidence).not.toMatch(/ \p{L}$/u);
  });

  it('say in which field the evidence is', () => {
    expect(refuseTask('emotion recognition', ['a', 'b'])!.field).toBe('description');
    expect(refuseTask('two classes', ['happy', 'sad'])!.field).toBe('labels');
  });

  it('need positive evidence: nothing said is nothing refused', () => {
    expect(refuseTask('', [])).toBeNull();
    expect(refuseTask('two classes', ['0', '1'])).toBeNull();
  });

  it('take bounded time on hostile labels', () => {
    const started = performance.now();
    refuseTask(
      'recognise the '.repeat(7),
      Array.from({ length: 4096 }, (_, at) => `${at}${'a'.repeat(195)}`),
    );
    refuseTask(
      'depress '.repeat(12),
      Array.from({ length: 4096 }, (_, at) => `${at} detect the of a`.repeat(12)),
    );
    expect(performance.now() - started).toBeLessThan(30_000);
  });
});

describe('the kind of a task', () => {
  it.each([
    ['P300 speller: target vs nontarget', 'target|nontarget', 'erp'],
    ['auditory oddball', 'a|b', 'erp'],
    ['N170: faces vs cars', 'face|car', 'erp'],
    ['P300, press a button on target', 'target|nontarget', 'erp'],
    ['', 'target|non-target', 'erp'],
    ['error-related potentials', 'error|correct', 'erp'],
    ['事件相关电位', '靶|非靶', 'erp'],
    ['potentiels évoqués', 'a|b', 'erp'],
    ['left vs right hand motor imagery', 'left|right', 'motor'],
    ['imagined movement of fists or feet', 'T1|T2', 'motor'],
    ['motor imagery: both fists or both feet', 'fists|feet', 'motor'],
    ['depression of a key', 'left hand|right hand', 'motor'],
    ['four classes', 'left_hand|right_hand|feet|tongue', 'motor'],
    ['Bewegungsvorstellung', 'links|rechts', 'motor'],
    ['imagerie motrice main gauche ou droite', 'a|b', 'motor'],
    ['imaginación motora', 'a|b', 'motor'],
    ['左手与右手运动想象', '左手|右手', 'motor'],
    ['運動想起', 'a|b', 'motor'],
    ['sleep staging', 'W|N1|N2|N3|REM', 'sleep'],
    ['stage N2', 'N2|N3', 'sleep'],
    ['overnight recording', 'W|N1|N2|N3|R', 'sleep'],
    ['overnight recording', 'Sleep stage W|Sleep stage 1|Sleep stage 2|Sleep stage R', 'sleep'],
    ['Schlafstadien', 'a|b', 'sleep'],
    ['睡眠分期', 'a|b', 'sleep'],
    ['eyes open vs eyes closed', 'open|closed', 'other'],
    ['mental arithmetic vs rest', 'math|rest', 'other'],
    ['', 'a|b', 'other'],
    ['covert attention: attend left or right', 'left|right', 'other'],
  ])('%j with labels %j is %s', (description, labels, kind) => {
    expect(readTask(description, labels.split('|')).kind).toBe(kind);
  });

  it('quotes what it was read from', () => {
    expect(readTask('Motor Imagery, runs 6, 10, 14', ['a', 'b']).evidence).toBe('"Motor Imagery" in the description');
    expect(readTask('x', ['Target', 'Non-Target']).evidence).toBe('label "Target"');
  });

  it.each([
    ['SSVEP', '13 Hz|17 Hz|21 Hz', [13, 17, 21]],
    ['SSVEP', '13|17|21', [13, 17, 21]],
    ['SSVEP exoskeleton', '13|17|21|rest', [13, 17, 21]],
    ['flickering squares', '20hz|12.5Hz|8,57 Hz', [8.57, 12.5, 20]],
    ['', '7.5hz|10hz', [7.5, 10]],
    ['looking at one of three boxes', '13|17|21', [13, 17, 21]],
    ['稳态视觉诱发电位', '13赫兹|17赫兹', [13, 17]],
    ['SSVEP', 'left 13 Hz|right 17 Hz', [13, 17]],
  ])('reads %j with labels %j as stimulation frequencies', (description, labels, frequencies) => {
    expect(readTask(description, labels.split('|'))).toMatchObject({
      kind: 'other',
      category: 'ssvep',
      frequenciesHz: frequencies,
    });
  });

  it.each([
    ['n-back', '1|2|3'],
    ['digits', '0|1|2|3|4|5|6|7|8|9'],
    ['P300 codes', '13|17'],
    ['tones of 500 Hz and 1000 Hz', '500 Hz|1000 Hz'],
    ['left vs right hand motor imagery', '10|20'],
    ['', '1|2'],
  ])('does not read %j with labels %j so', (description, labels) =>
    expect(readTask(description, labels.split('|')).frequenciesHz).toBeUndefined(),
  );
});
