/** With LOOK=1, tests of pages also take pictures of them and ask axe. The long tests do it anyway. */
export const pagesToLookAt = process.env['LOOK'] === '1' || process.env['TEST_LONG'] === '1';
