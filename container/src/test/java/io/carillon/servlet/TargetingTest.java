package io.carillon.servlet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.carillon.servlet.app.ApplicationDescription;
import io.carillon.servlet.app.ApplicationKey;
import io.carillon.servlet.app.ExecutionMode;
import io.carillon.servlet.harness.RawPeer;
import io.carillon.servlet.harness.Server;
import io.carillon.servlet.members.Proves;
import io.carillon.servlet.port.SessionTokens;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import javax.servlet.sip.ServletParseException;
import javax.servlet.sip.SipApplicationSession;
import javax.servlet.sip.SipFactory;
import javax.servlet.sip.SipServlet;
import javax.servlet.sip.SipServletRequest;
import javax.servlet.sip.SipSession;
import javax.servlet.sip.SipSessionsUtil;
import javax.servlet.sip.URI;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Which application session an initial request belongs to: keys, encoded URIs, Join and Replaces
 * (SIP Servlet 1.1, 15.11; RFC 3891, RFC 3911).
 */
@SuppressWarnings("deprecation") // SipApplicationSession.encodeURI
class TargetingTest {
    private static final String CONTACT = "Contact: <sip:10.0.0.2:5060>";

    /** Answers everything with 200 and remembers what it saw. */
    public static final class Room extends SipServlet {
        final List<SipServletRequest> invites = new ArrayList<>();

        /** The key: the user called. */
        public static @Nullable String key(SipServletRequest request) {
            URI uri = request.getRequestURI();
            String user = uri.isSipURI() ? ((javax.servlet.sip.SipURI) uri).getUser() : null;
            return "nobody".equals(user) ? null : user;
        }

        @Override
        protected void doInvite(SipServletRequest request) throws IOException {
            invites.add(request);
            request.createResponse(200).send();
        }

        @Override
        protected void doBye(SipServletRequest request) throws IOException {
            request.createResponse(200).send();
        }

        SipSessionsUtil util() {
            return Objects.requireNonNull(
                    (SipSessionsUtil)
                            getServletContext().getAttribute("javax.servlet.sip.SipSessionsUtil"));
        }

        SipFactory factory() {
            return Objects.requireNonNull(
                    (SipFactory) getServletContext().getAttribute(SIP_FACTORY));
        }

        SipSession session(int i) {
            return invites.get(i).getSession();
        }

        SipApplicationSession call(int i) {
            return invites.get(i).getApplicationSession();
        }
    }

    private final Server server = Server.fresh(31);
    private final RawPeer alice = server.peer("10.0.0.2");
    private final Room room = new Room();

    private void deployKeyed(ExecutionMode mode) throws Exception {
        server.container.deploy(
                ApplicationDescription.builder("rooms")
                        .servlet("main", () -> room)
                        .execution(mode)
                        .key(new ApplicationKey(Room.class.getName(), "key"))
                        .build());
    }

    private String invite(String uri, String callId, String... headers) {
        String[] all = new String[headers.length + 1];
        System.arraycopy(headers, 0, all, 0, headers.length);
        all[headers.length] = CONTACT;
        alice.request("INVITE " + uri, from(callId), "<sip:uas@y>", callId, 1, all);
        String to = "<sip:uas@y>;tag=" + alice.response(200).toTag();
        alice.request("ACK sip:10.0.0.1", from(callId), to, callId, 1);
        server.run(Duration.ofMillis(50));
        return to;
    }

    private static String from(String callId) {
        return "<sip:a@x>;tag=a" + callId;
    }

    private static String tag(String to) {
        return to.substring(to.indexOf("tag=") + 4);
    }

    private void bye(String callId, String to) {
        alice.request("BYE sip:10.0.0.1", from(callId), to, callId, 9);
        alice.response(200);
        server.run(Duration.ofMillis(50));
    }

    @ParameterizedTest
    @EnumSource(ExecutionMode.class)
    @Proves({
        "SipFactory#createApplicationSessionByKey(String)",
        "SipSessionsUtil#getApplicationSessionById(String)",
    })
    void requestsWithOneKeyShareOneApplicationSession(ExecutionMode mode) throws Exception {
        deployKeyed(mode);
        String first = invite("sip:blue@10.0.0.1", "c1");
        String second = invite("sip:blue@10.0.0.1", "c2");
        String third = invite("sip:red@10.0.0.1", "c3");
        String none = invite("sip:nobody@10.0.0.1", "c4");
        assertThat(room.call(1)).isSameAs(room.call(0));
        assertThat(room.call(2)).isNotSameAs(room.call(0));
        assertThat(room.call(3)).isNotIn(room.call(0), room.call(2));
        assertThat(room.session(1)).isNotSameAs(room.session(0));
        assertThat(room.util().getApplicationSessionByKey("blue", false)).isSameAs(room.call(0));
        assertThat(room.util().getApplicationSessionById(room.call(0).getId()))
                .isSameAs(room.call(0));
        assertThat(room.factory().createApplicationSessionByKey("red")).isSameAs(room.call(2));
        bye("c1", first);
        assertThat(room.call(0).isValid()).isTrue();
        bye("c2", second);
        assertThat(room.call(0).isValid()).isFalse();
        assertThat(room.util().getApplicationSessionByKey("blue", false)).isNull();
        bye("c3", third);
        bye("c4", none);
        server.assertEmpty();
    }

    @Test
    @Proves(
            value = {
                "SipSessionsUtil#getApplicationSessionByKey(String,boolean)",
                "SipApplicationSession#getId()",
            },
            also = {
                "SipApplicationSession#invalidate()",
                "SipServletRequest#getRequestURI()",
                "URI#isSipURI()",
            })
    void theIdOfAKeyedSessionFollowsFromItsKey() throws Exception {
        deployKeyed(ExecutionMode.NON_BLOCKING);
        bye("c1", invite("sip:blue@10.0.0.1", "c1"));
        bye("c2", invite("sip:blue@10.0.0.1", "c2"));
        assertThat(room.call(1)).isNotSameAs(room.call(0));
        assertThat(room.call(1).getId()).isEqualTo(room.call(0).getId());
        SipApplicationSession made =
                Objects.requireNonNull(room.util().getApplicationSessionByKey("blue", true));
        assertThat(made.getId()).isEqualTo(room.call(0).getId());
        assertThatThrownBy(() -> room.util().getApplicationSessionByKey(null, true))
                .isInstanceOf(NullPointerException.class);
        made.invalidate();
        server.assertEmpty();
    }

    private String encoded() throws ServletParseException {
        URI uri = room.factory().createURI("sip:uas@10.0.0.1");
        room.call(0).encodeURI(uri);
        return uri.toString();
    }

    @ParameterizedTest
    @EnumSource(ExecutionMode.class)
    void aRequestToAnEncodedUriReachesItsApplicationSession(ExecutionMode mode) throws Exception {
        server.deploy(room, mode);
        String first = invite("sip:uas@10.0.0.1", "c1");
        String second = invite(encoded(), "c2");
        String other = invite("sip:uas@10.0.0.1", "c3");
        assertThat(room.call(1)).isSameAs(room.call(0));
        assertThat(room.session(1)).isNotSameAs(room.session(0));
        assertThat(room.call(2)).isNotSameAs(room.call(0));
        bye("c1", first);
        bye("c2", second);
        bye("c3", other);
        server.assertEmpty();
    }

    @Test
    void anEncodedUriOfASessionThatIsGoneOrThatAStrangerMadeIsAnOrdinaryOne() throws Exception {
        server.deploy(room, ExecutionMode.NON_BLOCKING);
        String first = invite("sip:uas@10.0.0.1", "c1");
        String right = encoded();
        String id = room.call(0).getId();
        String forged = "sip:uas@10.0.0.1;" + SessionTokens.PARAMETER + "=" + id + ".0123456789";
        String bare = "sip:uas@10.0.0.1;" + SessionTokens.PARAMETER + "=" + id;
        bye("c2", invite(forged, "c2"));
        bye("c3", invite(bare, "c3"));
        bye("c1", first);
        bye("c4", invite(right, "c4"));
        for (int i = 1; i < 4; i++) {
            assertThat(room.call(i)).isNotSameAs(room.call(0));
        }
        server.assertEmpty();
    }

    @Test
    @Proves("SipApplicationSession#encodeURI(URI)")
    void onlySipUrisOfValidSessionsAreEncoded() throws Exception {
        server.deploy(room, ExecutionMode.NON_BLOCKING);
        String first = invite("sip:uas@10.0.0.1", "c1");
        URI tel = room.factory().createURI("tel:+4930123456");
        assertThatThrownBy(() -> room.call(0).encodeURI(tel))
                .isInstanceOf(IllegalArgumentException.class);
        bye("c1", first);
        URI sip = room.factory().createURI("sip:uas@10.0.0.1");
        assertThatThrownBy(() -> room.call(0).encodeURI(sip))
                .isInstanceOf(IllegalStateException.class);
        server.assertEmpty();
    }

    @ParameterizedTest
    @EnumSource(ExecutionMode.class)
    @Proves("SipSessionsUtil#getCorrespondingSipSession(SipSession,String)")
    void joinAndReplacesReachTheApplicationSessionOfTheDialogTheyName(ExecutionMode mode) {
        server.deploy(room, mode);
        String first = invite("sip:uas@10.0.0.1", "c1");
        String named = "c1;to-tag=" + tag(first) + ";from-tag=ac1";
        String joining = invite("sip:uas@10.0.0.1", "c2", "Join: " + named);
        String replacing = invite("sip:uas@10.0.0.1", "c3", "Replaces: " + named);
        assertThat(room.call(1)).isSameAs(room.call(0));
        assertThat(room.call(2)).isSameAs(room.call(0));
        SipSessionsUtil util = room.util();
        assertThat(util.getCorrespondingSipSession(room.session(1), "Join"))
                .isSameAs(room.session(0));
        assertThat(util.getCorrespondingSipSession(room.session(2), "replaces"))
                .isSameAs(room.session(0));
        assertThat(util.getCorrespondingSipSession(room.session(0), "Join"))
                .isSameAs(room.session(1));
        assertThat(util.getCorrespondingSipSession(room.session(0), "Replaces"))
                .isSameAs(room.session(2));
        assertThat(util.getCorrespondingSipSession(room.session(1), "Replaces")).isNull();
        assertThat(util.getCorrespondingSipSession(room.session(1), "Subject")).isNull();
        bye("c1", first);
        assertThat(util.getCorrespondingSipSession(room.session(1), "Join")).isNull();
        bye("c2", joining);
        bye("c3", replacing);
        server.assertEmpty();
    }

    @Test
    void aJoinThatNamesNoDialogIsRoutedWithoutATarget() {
        server.deploy(room, ExecutionMode.NON_BLOCKING);
        String first = invite("sip:uas@10.0.0.1", "c1");
        String other = invite("sip:uas@10.0.0.1", "c2", "Join: c1;to-tag=other;from-tag=ac1");
        assertThat(room.call(1)).isNotSameAs(room.call(0));
        assertThat(room.util().getCorrespondingSipSession(room.session(1), "Join")).isNull();
        bye("c1", first);
        bye("c2", other);
        server.assertEmpty();
    }

    private int refused(String callId, String... headers) {
        String[] all = new String[headers.length + 1];
        System.arraycopy(headers, 0, all, 0, headers.length);
        all[headers.length] = CONTACT;
        alice.request("INVITE sip:uas@10.0.0.1", from(callId), "<sip:uas@y>", callId, 1, all);
        for (; ; ) {
            if (alice.any() instanceof io.carillon.sip.message.SipResponse response
                    && response.status() != 100) {
                return response.status();
            }
        }
    }

    @Test
    void rfc3891_3_whatContradictsItselfIsRefusedWith400AndEarlyOnlyWith486() {
        server.deploy(room, ExecutionMode.NON_BLOCKING);
        String first = invite("sip:uas@10.0.0.1", "c1");
        String named = "c1;to-tag=" + tag(first) + ";from-tag=ac1";
        assertThat(refused("d1", "Replaces: " + named, "Join: " + named)).isEqualTo(400);
        assertThat(refused("d2", "Replaces: " + named, "Replaces: " + named)).isEqualTo(400);
        assertThat(refused("d3", "Replaces: c1;to-tag=x")).isEqualTo(400);
        assertThat(refused("d4", "Replaces: " + named + ";early-only")).isEqualTo(486);
        assertThat(room.invites).hasSize(1);
        bye("c1", first);
        server.assertEmpty();
    }

    /** RFC 3891 3: 400 in other requests; 481 for a dialog of ours that is over. */
    @Test
    void rfc3891_3_whatNamesACallThatIsOverOrIsNoInviteIsRefused() {
        server.deploy(room, ExecutionMode.NON_BLOCKING);
        String first = invite("sip:uas@10.0.0.1", "c1");
        String named = "c1;to-tag=" + tag(first) + ";from-tag=ac1";
        alice.request(
                "MESSAGE sip:uas@10.0.0.1",
                from("m1"),
                "<sip:uas@y>",
                "m1",
                1,
                "Replaces: " + named);
        assertThat(alice.response(400)).isNotNull();
        bye("c1", first);
        server.run(Duration.ofSeconds(40));
        assertThat(refused("d1", "Replaces: " + named)).isEqualTo(481);
        assertThat(room.invites).hasSize(1);
        server.run(Duration.ofSeconds(40));
        server.assertEmpty();
    }

    /** Rings until it is told to answer. */
    private static final class Ringing extends SipServlet {
        final List<SipServletRequest> invites = new ArrayList<>();

        @Override
        protected void doInvite(SipServletRequest request) throws IOException {
            invites.add(request);
            request.createResponse(180).send();
        }
    }

    /**
     * RFC 3891 3: an early dialog that this UA did not begin is not replaced (481); RFC 3911 4:
     * "the Join header has no limitation on its use with early dialogs".
     */
    @Test
    void rfc3891_3_anEarlyDialogOfTheCallerIsJoinedButNotReplaced() {
        Ringing ringing = new Ringing();
        server.deploy(ringing, ExecutionMode.NON_BLOCKING);
        alice.request("INVITE sip:uas@10.0.0.1", from("c1"), "<sip:uas@y>", "c1", 1, CONTACT);
        String named = "c1;to-tag=" + alice.response(180).toTag() + ";from-tag=ac1";
        assertThat(refused("d1", "Replaces: " + named)).isEqualTo(481);
        alice.request(
                "INVITE sip:uas@10.0.0.1",
                from("d2"),
                "<sip:uas@y>",
                "d2",
                1,
                "Join: " + named,
                CONTACT);
        alice.response(180);
        assertThat(ringing.invites).hasSize(2);
        assertThat(ringing.invites.get(1).getApplicationSession())
                .isSameAs(ringing.invites.get(0).getApplicationSession());
    }
}
