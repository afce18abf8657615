package io.carillon.servlet.feature.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** RFC 3261 13.3.1.4: a 2xx is repeated until its ACK comes; 13.2.2.4: those of forks differ. */
class AnsweredTagsTest {
    @Test
    void theSameTagAgainIsARepeatAndAnotherIsAnotherFork() {
        assertThat(AnsweredTags.has(null, "a")).isFalse();
        Object one = AnsweredTags.with(null, "a");
        assertThat(AnsweredTags.has(one, "a")).isTrue();
        assertThat(AnsweredTags.has(one, "b")).isFalse();
        Object two = AnsweredTags.with(one, "b");
        assertThat(AnsweredTags.has(two, "a")).isTrue();
        assertThat(AnsweredTags.has(two, "b")).isTrue();
        assertThat(AnsweredTags.with(two, "a")).isSameAs(two);
    }

    /** A peer of RFC 2543 has no tag; it is one of its own. */
    @Test
    void noTagIsATagToo() {
        Object none = AnsweredTags.with(null, null);
        assertThat(AnsweredTags.has(none, null)).isTrue();
        assertThat(AnsweredTags.has(none, "a")).isFalse();
    }
}
