package io.carillon.servlet.feature.adopt;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.carillon.servlet.app.ExecutionMode;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What each section of a record is for: without it, the test of that kind of call fails. */
class MissingSectionsTest {
    @TempDir Path folder;

    @AfterEach
    void whole() {
        TwoNodes.onTheWay = UnaryOperator.identity();
    }

    /**
     * Sections: 2 application session, 3 session, 4 timer, 6 and 7 attributes, 8 and 9 INVITEs
     * under way; in a session 2 state, 3 parties, 4 key, 5 dialog, 6 proxied dialog, 7 routing, 9
     * place, 12 session timer, 13 subscriptions, 14 link.
     */
    @ParameterizedTest
    @CsvSource({
        "called, 2",
        "called, 3",
        "called, 6",
        "called, 7",
        "called, 3.1",
        "called, 3.2",
        "called, 3.3",
        "called, 3.4",
        "called, 3.5",
        "calling, 2",
        "calling, 3",
        "calling, 6",
        "calling, 7",
        "calling, 3.4",
        "calling, 3.5",
        "back-to-back, 3",
        "back-to-back, 3.4",
        "back-to-back, 3.5",
        "back-to-back, 3.14",
        "proxy, 3",
        "proxy, 7",
        "proxy, 3.2",
        "proxy, 3.6",
        "composed, 3.5",
        "composed, 3.6",
        "composed, 3.7",
        "composed, 3.9",
        "composed, 3.14",
        "timers, 4",
        "timers, 7",
        "refreshed, 3.12",
        "not refreshed, 3.12",
        "subscription, 3.5",
        "subscription, 3.13",
        "keyed, 6",
        "ringing, 8",
        "ringing, 7",
        "ringing, 10",
        "bridge ringing, 8",
        "bridge ringing, 9",
    })
    void isMissed(String kind, String section) {
        AdoptedCallsTest calls = new AdoptedCallsTest();
        calls.folder = folder;
        AdoptedTimersTest timers = new AdoptedTimersTest();
        Map<String, ThrowingCallable> kinds = new HashMap<>();
        EarlyCallsTest early = new EarlyCallsTest();
        kinds.put("ringing", () -> early.aCallThatRingsHereIsAnswered(false));
        kinds.put("bridge ringing", early::bothLegsOfABackToBackUserAgentAreAnswered);
        kinds.putAll(
                Map.of(
                        "called", () -> calls.ofAUserAgentThatWasCalled(ExecutionMode.ADAPTIVE),
                        "calling", () -> calls.ofAUserAgentThatCalled(true),
                        "back-to-back", () -> calls.ofABackToBackUserAgent(true),
                        "proxy", () -> calls.ofAProxyThatStaysOnTheWay(true),
                        "composed", calls::ofApplicationsOnOneCall,
                        "timers", timers::timersOfApplicationsFireWhereTheCallIs,
                        "refreshed", timers::weRefreshACallThatTheNodeBeforeWasToRefresh,
                        "not refreshed", timers::aCallThatThePeerDoesNotRefreshIsEnded,
                        "subscription", timers::aSubscriptionIsRefreshedAndEnds,
                        "keyed", timers::anotherCallWithItsKeyFindsIt));
        TwoNodes.onTheWay = bytes -> Sections.without(bytes, section);
        assertThatThrownBy(kinds.get(kind)).isNotInstanceOf(NullPointerException.class);
    }
}
