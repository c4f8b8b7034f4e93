"""Work in another thread comes back as if it had been done here."""

import threading

import pytest

from dowse.search.meanwhile import Meanwhile


def test_this_thread_goes_on_and_gets_the_result():
    """The work waits for something that comes after it was begun."""
    later = threading.Event()

    def work() -> str:
        assert later.wait(10)
        return threading.current_thread().name

    begun = Meanwhile(work)
    later.set()
    assert "dowse-meanwhile" == begun.wait()


def test_an_error_is_raised_where_it_is_waited_for():
    """The same error, and nowhere else."""
    error = KeyError("x")

    def work() -> None:
        raise error

    begun = Meanwhile(work)
    with pytest.raises(KeyError) as caught:
        begun.wait()
    assert error is caught.value
