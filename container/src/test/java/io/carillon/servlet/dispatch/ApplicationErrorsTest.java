package io.carillon.servlet.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class ApplicationErrorsTest {
    private final AtomicLong millis = new AtomicLong();
    private final ApplicationErrors errors = new ApplicationErrors(millis::get);

    private void fail(int kind) {
        errors.applicationFailed(
                "test", "main", "do" + kind, "call", new IllegalStateException("no"));
    }

    @Test
    void kindsBeyondTheirNumberAreCountedAndNotTold() {
        for (int kind = 0; kind < ApplicationErrors.MAX_KINDS + 100; kind++) {
            fail(kind);
        }
        assertThat(errors.ofApplications()).isEqualTo(ApplicationErrors.MAX_KINDS + 100);
        assertThat(errors.kinds()).isEqualTo(ApplicationErrors.MAX_KINDS);
        String last = errors.lastOfApplications();
        assertThat(last).contains("do" + (ApplicationErrors.MAX_KINDS - 1) + " ");
        millis.addAndGet(3_600_000);
        fail(3);
        assertThat(errors.lastOfApplications()).as("known ones are told on").contains("do3 ");
    }
}
