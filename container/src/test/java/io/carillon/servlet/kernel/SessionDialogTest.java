package io.carillon.servlet.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.sip.header.NameAddress;
import io.carillon.sip.message.Methods;
import io.carillon.sip.token.OwnTokens;
import io.carillon.sip.token.ShardToken;
import java.util.List;
import javax.servlet.sip.SipSession.State;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * The part of a session that is about its dialog, by itself: which requests end what (RFC 5057).
 */
class SessionDialogTest {
    private static final long LATER = 60_000;
    private static final int NODE = 3;
    private SessionDialog dialog;

    @BeforeEach
    void dialog() throws Exception {
        dialog =
                new SessionDialog(
                        "call-1",
                        NameAddress.parse("<sip:alice@example.org>;tag=a1"),
                        NameAddress.parse("<sip:bob@example.com>"));
    }

    private void subscribed(String usage) {
        dialog.usages().use(usage, LATER);
    }

    @Test
    void aFreshOneIsNobodysAndNotOver() {
        assertThat(dialog.role()).isEqualTo(SessionDialog.Role.NONE);
        assertThat(dialog.state()).isEqualTo(State.INITIAL);
        assertThat(dialog.over()).isFalse();
        assertThat(dialog.isCall()).isFalse();
    }

    @Test
    void whatIsCompletedIsOverUntilTheNextRequest() {
        dialog.completed = true;
        assertThat(dialog.over()).isTrue();
        assertThat(dialog.nextCSeq()).isEqualTo(1);
        assertThat(dialog.over()).isFalse();
        dialog.state = State.TERMINATED;
        assertThat(dialog.over()).isTrue();
        dialog.state = State.CONFIRMED;
        dialog.completed = true;
        assertThat(dialog.over()).isFalse();
    }

    /** RFC 5057 4.1: a call without subscriptions ends with its BYE; a REFER uses it besides. */
    @Test
    void aCallAloneIsSharedByWhatIsNoPartOfIt() {
        assertThat(dialog.shared(Methods.BYE, "")).isFalse();
        assertThat(dialog.shared(Methods.INVITE, "")).isFalse();
        for (String beside : List.of(Methods.REFER, Methods.SUBSCRIBE, Methods.NOTIFY)) {
            assertThat(dialog.shared(beside, "presence")).as(beside).isTrue();
        }
    }

    @Test
    void aDialogOfASubscriptionAloneIsShareByNone() {
        dialog.subscription = true;
        assertThat(dialog.byInvite()).isFalse();
        for (String method : List.of(Methods.REFER, Methods.SUBSCRIBE, Methods.NOTIFY)) {
            assertThat(dialog.shared(method, "presence")).as(method).isFalse();
        }
        subscribed("presence");
        assertThat(dialog.shared(Methods.NOTIFY, "presence")).isFalse();
        assertThat(dialog.shared(Methods.SUBSCRIBE, "presence")).isFalse();
    }

    /** RFC 6665 4.4.1: a refused SUBSCRIBE for a new event ends no other subscription. */
    @Test
    void aFurtherSubscriptionEndsByItself() {
        dialog.subscription = true;
        subscribed("presence");
        assertThat(dialog.shared(Methods.SUBSCRIBE, "dialog")).isTrue();
        subscribed("dialog");
        assertThat(dialog.shared(Methods.NOTIFY, "dialog")).isTrue();
        assertThat(dialog.shared(Methods.SUBSCRIBE, "presence")).isTrue();
    }

    /** RFC 5057 4.1: a BYE ends the call, and the dialog stays for the subscription. */
    @Test
    void aSubscriptionKeepsTheDialogOfACall() {
        subscribed("refer");
        assertThat(dialog.keptBySubscriptions()).isTrue();
        assertThat(dialog.shared(Methods.BYE, "")).isTrue();
        assertThat(dialog.shared(Methods.INFO, "")).isTrue();
        dialog.usages().leave("refer");
        assertThat(dialog.keptBySubscriptions()).isFalse();
        assertThat(dialog.shared(Methods.BYE, "")).isFalse();
    }

    /** RFC 5057 5.3: what matches no usage gets 481. */
    @Test
    void afterTheByeRequestsOfTheCallAreRefused() {
        subscribed("refer");
        assertThat(dialog.refuses(Methods.INVITE)).isFalse();
        dialog.usages().hungUp = true;
        for (String method :
                List.of(Methods.INVITE, Methods.UPDATE, Methods.BYE, Methods.PRACK, Methods.INFO)) {
            assertThat(dialog.refuses(method)).as(method).isTrue();
        }
        for (String method : List.of(Methods.NOTIFY, Methods.SUBSCRIBE, Methods.OPTIONS)) {
            assertThat(dialog.refuses(method)).as(method).isFalse();
        }
    }

    /** RFC 3261 8.2.6.2: who answers knows a tag that the caller chose for us. */
    @Test
    void onlyATagOfThisServerWasChosenHere() {
        assertThat(dialog.hasTagOf(OwnTokens.ofNode(NODE))).isFalse();
        dialog.setLocalTag("chosen-by-the-caller");
        assertThat(dialog.hasTagOf(OwnTokens.ofNode(NODE))).isFalse();
        dialog.setLocalTag(ShardToken.encode(NODE, 0, 42));
        assertThat(dialog.hasTagOf(OwnTokens.ofNode(NODE))).isTrue();
        assertThat(dialog.hasTagOf(OwnTokens.ofNode(NODE + 1))).isFalse();
    }

    @Test
    void renamedPartiesHaveNoTagOfTheOtherSide() throws Exception {
        dialog.rename(
                NameAddress.parse("<sip:sales@example.org>;tag=a1"),
                NameAddress.parse("<sip:carol@example.com>;tag=c9"));
        assertThat(dialog.knownLocal().tag()).isEqualTo("a1");
        assertThat(dialog.remote().tag()).isNull();
        assertThat(dialog.remote().uri()).hasToString("sip:carol@example.com");
    }
}
