package io.carillon.servlet.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** {@link DialogUsages} by itself. */
class SubscriptionsOfDialogTest {
    private final DialogUsages usages = new DialogUsages();

    @Test
    void eachIsThereOnceAndTheLastDecidesHowLong() {
        usages.use("presence", 5_000);
        usages.use("dialog", 9_000);
        usages.use("presence", 7_000);
        assertThat(usages.names).containsExactly("presence", "dialog");
        assertThat(usages.untilMillis).isEqualTo(9_000);
    }

    @Test
    void oneThatLeavesIsGoneAndNoOther() {
        usages.use("presence", 1);
        usages.use("dialog", 1);
        usages.leave("presence");
        usages.leave("presence");
        assertThat(usages.has("presence")).isFalse();
        assertThat(usages.has("dialog")).isTrue();
    }

    @Test
    void noMoreAreRememberedThanTheMost() {
        for (int i = 0; i < DialogUsages.MOST + 5; i++) {
            usages.use("event;id=" + i, 1);
        }
        assertThat(usages.names).hasSize(DialogUsages.MOST);
        assertThat(usages.has("event;id=" + DialogUsages.MOST)).isFalse();
    }

    /** RFC 3515 2.4.6: NOTIFYs for the first REFER may leave out the id. */
    @Test
    void aReferWithoutItsIdIsTheFirst() {
        usages.use("refer;id=7", 1);
        assertThat(usages.has("refer")).isTrue();
        assertThat(usages.has("refer;id=8")).isFalse();
        usages.leave("refer");
        assertThat(usages.has("refer;id=7")).isFalse();
    }

    @Test
    void anotherEventHasToBeExact() {
        usages.use("presence;id=7", 1);
        assertThat(usages.has("presence")).isFalse();
    }
}
