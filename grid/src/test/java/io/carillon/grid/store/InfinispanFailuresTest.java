package io.carillon.grid.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CompletionException;
import org.infinispan.commons.CacheException;
import org.infinispan.commons.TimeoutException;
import org.junit.jupiter.api.Test;

/** What an operator reads of a grid that fails. */
class InfinispanFailuresTest {
    @Test
    void whoDoesNotGetItsCopiesIsToldWhatToDo() {
        TimeoutException late =
                new TimeoutException("ISPN000658: Initial state transfer timed out");
        assertThat(InfinispanFailures.ofJoin(new CacheException("cannot start", late)))
                .contains("start this node again")
                .doesNotContain("ISPN");
    }

    @Test
    void whatElseKeepsANodeOutIsNamed() {
        assertThat(
                        InfinispanFailures.ofJoin(
                                new CacheException(
                                        "cannot start", new IllegalStateException("no stack"))))
                .isEqualTo("the copies of calls cannot be joined: IllegalStateException: no stack");
    }

    @Test
    void aFailureIsSaidByItsCauseWithoutAStack() {
        assertThat(
                        InfinispanFailures.sentence(
                                new CompletionException(new IllegalStateException("split"))))
                .isEqualTo("IllegalStateException: split");
    }
}
