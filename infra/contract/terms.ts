/**
 * The terms of service. The version is the date from which a text is valid. A change of the text needs a new version;
 * account holders must accept it before they make another key.
 */
export const terms = {
  version: '2026-11-28',
  text: `## What the service is

You send EEG trials with a label for each and a short description of the task. The service fits classifiers to them,
hosts the one that scores best on trials it has not seen, and labels new trials with it.

It is for research. It is not a medical device, and nothing it answers may be used for a diagnosis, a treatment, the
safety of a person, or a decision about a person.

## What you promise

- You may use the recordings: the people who were recorded agreed to this use, or the law and, where one is needed, an
  ethics committee allow it.
- You send no names and nothing else that says who was recorded, in no field: descriptions, labels, names of models and
  sessions are stored as you wrote them.
- You do not use the service to recognise emotions, to diagnose, to find out who a person is, or to tell age, sex or
  gender. Such tasks are refused where they are seen; that one was not refused does not make it allowed.
- You keep your keys on servers of your own and out of web pages, apps and public code. What is done with your keys is
  billed to your account. Revoke a key that others may have seen.
- You do not try to reach the data of other accounts, or to get around limits or charges.

## What is stored, and for how long

- The signal: encrypted while a fit reads it, at most 15 minutes; of a fit in several batches only the features that
  were computed from it, until the fit has ended or the model that collects them is deleted.
- A fitted model, its training report, its name, description and labels: until you delete it or it expires.
- Answers that are kept so that a request can be repeated or a job read: at most 30 days. Those about a model are erased
  when you delete it or it expires, all others when you close the account.
- The log of requests, without any body: 30 days, or until you close the account.
- Your e-mail address, a one-way hash of your password, names and addresses of keys: until you close the account.
- Also after the account is closed: what was charged, counts of requests by day, ids, dates and methods of models, ids
  of keys, dates of the account, when you accepted which terms, and a keyed hash of the e-mail address.

Your trials are not used to train anything for anybody else, and are not given to anybody.

## Money

The balance is prepaid. The documentation lists the prices, and your account lists every charge. A fit that fails costs
nothing. Hosting is paid for 30 days ahead. Free credit of a new account is for trying the service: one for each person,
and it is not paid out.

## What the service does not promise

There is no promise about accuracy. The training report measures your own trials that were kept out of the fit; look at
independent recordings before you rely on a model. The service may be interrupted, and may lose a model: keep your
recordings. As far as the law allows, the operator's liability is limited to what you paid in the twelve months before.

## Ending

You can export what is held of your account and close it at any time. The operator may pause an account that breaks
these terms or is not paid for, and says so. When this text changes, you are asked to accept the new one before you make
another key; keys that you have go on.
`,
} as const;
