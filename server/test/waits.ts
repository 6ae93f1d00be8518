/** For `vi.waitFor`: a bound for a machine that has much other work; what is waited for is there long before. */
export const WAIT = { timeout: 600_000, interval: 50 }
