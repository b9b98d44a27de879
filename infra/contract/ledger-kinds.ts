/** Kinds of ledger transactions (spec, "Events"). */
export type ChargeKind = 'task_models.create_fee' | 'task_models.hosting' | 'task_models.predict';
/** Refund of a hosting month. */
export type RefundKind = 'task_models.hosting_refund';
export type TransactionKind =
  | 'credit.free'
  | 'credit.operator'
  | 'hold.reserve'
  | 'hold.release'
  | ChargeKind
  | RefundKind;
