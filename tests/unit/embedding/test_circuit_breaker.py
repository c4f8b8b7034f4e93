"""When calls pass and when they rest."""

from dowse.embedding.circuit_breaker import CircuitBreaker


def test_it_opens_rests_and_gives_one_trial():
    """It opens at the last allowed failure, closes in time, and one more failure opens it at once."""
    now = [0.0]
    breaker = CircuitBreaker(2, 10.0, lambda: now[0])
    breaker.note_failure()
    assert 0.0 == breaker.rest_s()
    breaker.note_failure()
    assert 10.0 == breaker.rest_s()
    now[0] = 4.0
    assert 6.0 == breaker.rest_s()
    now[0] = 10.0
    assert 0.0 == breaker.rest_s()
    breaker.note_failure()
    assert 10.0 == breaker.rest_s()


def test_a_success_forgets_the_failures():
    """Failures count only in a row."""
    breaker = CircuitBreaker(2, 10.0, lambda: 0.0)
    for _ in range(5):
        breaker.note_failure()
        breaker.note_success()
    assert 0.0 == breaker.rest_s()
