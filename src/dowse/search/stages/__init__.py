"""What becomes of a ranking before it is shown?

Stages take a batch of candidates and give one: fewer, in another order, or scored again. Each is asked for by
options of the request, says what it did and why, and leaves a score that explains itself. What a stage has to
look at, texts, vectors, a cross-encoder, it is handed: no stage knows an index or a model.
`search.pipeline.PIPELINE` lists all of them, in the order in which they run.

May import: `search` (its values), `scoring` (its `Parameter`), `kernels`, `schema`, `explanation`, `errors`.

Main types: `stage.Stage` (the protocol) · `candidate.Candidate` and `Change` (what goes through).

Reading order: `candidate` · `stage` · `likeness` · `duplicates` · `diversify` · `cross_encoder` · `page`.

Invariants, held by `tests/conformance/test_pipeline_stages.py` for every stage of the pipeline:
1. What comes out went in, each key once; only a stage that says so leaves any out.
2. Scores do not rise from one to the next, and an explanation's value is the score, exactly.
3. What is beyond the stage's depth keeps its order, comes after what is not, and decides nothing.
4. A stage that cannot work leaves everything as it was, and says why in a problem.
5. A stage names its options as the table of request options does.

Not for: filtering (the legs do), mixing rankings (`fusion`), assembling a response (`search.pipeline`).
"""
