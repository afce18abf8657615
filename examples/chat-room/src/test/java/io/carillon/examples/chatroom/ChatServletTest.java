package io.carillon.examples.chatroom;

import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.servlettest.SipTest;
import io.carillon.servlettest.SipTestServer;
import io.carillon.sip.header.HeaderName;
import io.carillon.sip.hop.Transport;
import io.carillon.testkit.Received;
import io.carillon.testkit.ScriptedPeer;
import io.carillon.testkit.SimulatedNetwork;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

@SipTest(archives = "target/chat-room", roundTrip = true)
class ChatServletTest {
    private SipTestServer server;
    private ScriptedPeer ann;
    private ScriptedPeer bob;
    private ScriptedPeer eve;
    private int count;

    /** Over a connection somebody has proved where he is. */
    private Transport by = Transport.UDP;

    @BeforeEach
    void start(SipTestServer started) {
        server = started;
        ann = server.peer("ann");
        bob = server.peer("bob");
        eve = server.peer("eve");
    }

    private Received say(ScriptedPeer who, String type, String text, String... headers) {
        String host = who.address().getHostString();
        who.transport(by);
        who.send(
                SimulatedNetwork.address(SipTestServer.HOST, 5060),
                String.join(
                        "\n",
                        "MESSAGE sip:chat@10.0.0.1 SIP/2.0",
                        "Via: SIP/2.0/" + by + " " + host + ":5060;branch=z9hG4bK" + ++count,
                        "Max-Forwards: 70",
                        "From: <sip:" + who.name() + "@" + host + ">;tag=" + count,
                        "To: <sip:chat@10.0.0.1>",
                        "Call-ID: " + count + "@" + host,
                        "CSeq: 1 MESSAGE",
                        "Content-Type: " + type,
                        String.join("\n", headers)
                                + (headers.length > 0 ? "\n" : "")
                                + "\n"
                                + text));
        who.transport(Transport.UDP);
        server.time().runUntil(() -> answer(who) != null, Duration.ofSeconds(1));
        Received answer = answer(who);
        assertThat(answer).as("an answer to %s", text).isNotNull();
        return answer;
    }

    private Received answer(ScriptedPeer who) {
        String callId = count + "@" + who.address().getHostString();
        return who.all().stream()
                .filter(r -> Character.isDigit(r.start().charAt(0)))
                .filter(r -> r.header("Call-ID").equals(callId))
                .findFirst()
                .orElse(null);
    }

    private int status(ScriptedPeer who, String text) {
        return say(who, "text/plain", text).response().status();
    }

    private static String hears(ScriptedPeer who) {
        Received message = who.expect("MESSAGE");
        who.reply(message, 200);
        return new String(message.message().body(), StandardCharsets.UTF_8);
    }

    /** Joins by TCP, and answers the welcome, after which he is told what others say. */
    private void join(ScriptedPeer who) {
        by = Transport.TCP;
        assertThat(status(who, "/join")).isEqualTo(200);
        by = Transport.UDP;
        assertThat(hears(who)).isEqualTo("* you are in this room");
        server.advance(Duration.ofMillis(10));
    }

    private int statusFrom(String from) {
        return status("sip:chat@10.0.0.1", from, "/join");
    }

    private int status(String room, String from, String text) {
        String host = ann.address().getHostString();
        ann.send(
                SimulatedNetwork.address(SipTestServer.HOST, 5060),
                String.join(
                        "\n",
                        "MESSAGE " + room + " SIP/2.0",
                        "Via: SIP/2.0/UDP " + host + ":5060;branch=z9hG4bK" + ++count,
                        "Max-Forwards: 70",
                        "From: <" + from + ">;tag=" + count,
                        "To: <" + room + ">",
                        "Call-ID: " + count + "@" + host,
                        "CSeq: 1 MESSAGE",
                        "Content-Type: text/plain",
                        "",
                        text));
        server.time().runUntil(() -> answer(ann) != null, Duration.ofSeconds(1));
        return answer(ann).response().status();
    }

    @Test
    void anotherRoomOfThisServerIsNoMember() {
        assertThat(statusFrom("sip:chat-b@10.0.0.1")).isEqualTo(403);
        assertThat(statusFrom("sip:chat@10.0.0.1")).isEqualTo(403);
        assertThat(statusFrom("sip:ann@10.0.0.1")).as("a user of the registrar").isEqualTo(200);
    }

    /** RFC 3261 19.1.1: no transport, maddr, ttl, method or headers in From. */
    @Test
    void aSenderAtOurHostIsReachedWhereWeListenAndNowhereElse() {
        String host = ann.address().getHostString();
        for (String from :
                new String[] {
                    "sip:redis@10.0.0.1:6379",
                    "sip:redis@10.0.0.1:6379;transport=tcp",
                    "sip:ann@10.0.0.1;transport=tcp",
                    "sips:ann@10.0.0.1",
                    "sip:ann@10.0.0.1;maddr=" + bob.address().getHostString(),
                    "sip:ann@" + host + ";maddr=10.0.0.1",
                    "sip:ann@" + host + ":6379;transport=tcp",
                    "sip:ann@" + host + "?Route=%3Csip:10.0.0.9%3E",
                    "sip:" + "a".repeat(200) + "@" + host
                }) {
            assertThat(statusFrom(from)).as(from).isEqualTo(403);
        }
        assertThat(statusFrom("sip:ann@10.0.0.1:5060;user=phone")).isEqualTo(200);
    }

    @Test
    void whatIsPassedOnIsOneLine() {
        join(ann);
        join(bob);
        hears(ann);
        assertThat(status(ann, "hello\r\nSET key value\rQUIT\u2028x")).isEqualTo(202);
        assertThat(hears(bob)).isEqualTo("ann: hello SET key value QUIT x");
    }

    @Test
    void whatARoomSaysNoRoomPassesOn() {
        join(ann);
        join(bob);
        Received told = ann.expect("MESSAGE");
        ann.reply(told, 200);
        String mark = "Chat-Room: " + told.header("Chat-Room");
        assertThat(say(ann, "text/plain", "again", mark).response().status()).isEqualTo(482);
        server.advance(Duration.ofSeconds(1));
        assertThat(bob.count("MESSAGE")).as("the welcome").isEqualTo(1);
    }

    /** Without a router each user part is a room, so no name tells. */
    @Test
    void roomsThatAreMembersOfEachOtherFallSilent() {
        String[] rooms = {"sip:one@10.0.0.1", "sip:two@10.0.0.1", "sip:three@10.0.0.1"};
        for (String room : rooms) {
            for (String member : rooms) {
                if (!member.equals(room)) {
                    assertThat(status(room, member, "/join")).isEqualTo(200);
                }
            }
        }
        assertThat(status(rooms[0], rooms[1], "hello")).isLessThan(300);
        server.assertNothingLeft();
    }

    @Test
    void whatOneSaysAllOthersHear() {
        assertThat(status(ann, "hello?")).as("nobody to pass it on to").isEqualTo(200);
        assertThat(hears(ann)).isEqualTo("* you are in this room");
        join(bob);
        assertThat(hears(ann)).isEqualTo("* bob has joined");
        by = Transport.TCP;
        assertThat(status(eve, "hi")).as("the first message joins").isEqualTo(202);
        by = Transport.UDP;
        assertThat(hears(ann)).isEqualTo("* eve has joined");
        assertThat(hears(bob)).isEqualTo("* eve has joined");
        assertThat(hears(ann)).isEqualTo("eve: hi");
        assertThat(hears(bob)).isEqualTo("eve: hi");
        assertThat(status(bob, "/list")).isEqualTo(200);
        assertThat(hears(bob)).isEqualTo("ann, bob, eve are here");
        assertThat(status(bob, "/what")).isEqualTo(200);
        assertThat(hears(bob)).startsWith("/join, /leave");
        assertThat(hears(eve)).isEqualTo("* you are in this room");
        assertThat(eve.count("MESSAGE")).as("nobody hears himself").isEqualTo(1);
    }

    @Test
    void theRoomEndsWithItsLastMember() {
        join(ann);
        join(bob);
        hears(ann);
        assertThat(status(ann, "/leave")).isEqualTo(200);
        assertThat(hears(bob)).isEqualTo("* ann has left");
        server.advance(Duration.ofSeconds(40));
        assertThat(server.session("chat-room").getSessions().hasNext())
                .as("the room keeps nothing of its messages")
                .isFalse();
        assertThat(status(bob, "/leave")).isEqualTo(200);
        server.assertNothingLeft();
    }

    @Test
    void whoCannotBeReachedIsNoMemberAnyMore() {
        join(ann);
        join(bob);
        hears(ann);
        assertThat(status(bob, "still there?")).isEqualTo(202);
        ann.reply(ann.expect("MESSAGE"), 480);
        assertThat(hears(bob)).isEqualTo("* ann cannot be reached (480)");
        assertThat(status(bob, "alone")).isEqualTo(200);
        join(eve);
        assertThat(hears(bob)).isEqualTo("* eve has joined");
        assertThat(status(bob, "hello")).isEqualTo(202);
        server.advance(Duration.ofSeconds(40)); // eve is silent: RFC 3261 17.1.2.2, timer F
        assertThat(hears(bob)).isEqualTo("* eve cannot be reached (408)");
    }

    @Test
    void whoWasNeverHeardIsToldOnceAsHisAddressMayBeForged() {
        join(bob);
        for (int i = 0; i < 20; i++) {
            assertThat(status(eve, "/list")).as("no member").isEqualTo(403);
        }
        assertThat(status(eve, "/join")).isEqualTo(200);
        assertThat(status(bob, "who are you?")).isEqualTo(202);
        for (int i = 0; i < 20; i++) {
            assertThat(status(eve, "/list")).isEqualTo(200);
        }
        server.advance(Duration.ofSeconds(40));
        assertThat(told(eve)).isEqualTo(1);
    }

    @Test
    void membersWhoAllHaveOneForgedAddressAreToldOnceEach() {
        String host = ann.address().getHostString();
        for (int i = 0; i < 20; i++) {
            int status = statusFrom("sip:m" + i + "@" + host);
            assertThat(status).isEqualTo(i < 4 ? 200 : 486);
        }
        server.advance(Duration.ofSeconds(40));
        assertThat(told(ann)).isEqualTo(4);
        server.assertNothingLeft();
    }

    @Test
    void rfc3261_17_1_2_2_whoAnsweredOnceIsToldUntilHeAnswers() {
        join(ann);
        join(bob);
        hears(ann);
        assertThat(status(bob, "still there?")).isEqualTo(202);
        server.advance(Duration.ofSeconds(40));
        assertThat(told(ann)).as("welcome, bob, and what he says").isEqualTo(1 + 1 + 11);
    }

    /** How many MESSAGEs came, repetitions too. */
    private static long told(ScriptedPeer who) {
        return who.all().stream().filter(r -> r.start().startsWith("MESSAGE")).count();
    }

    @Test
    void aRoomWhereNothingIsSaidCloses() {
        join(ann);
        server.advance(Duration.ofMinutes(59));
        assertThat(server.sessions("chat-room")).hasSize(1);
        server.advance(Duration.ofMinutes(2));
        server.assertNothingLeft();
        assertThat(status(bob, "anybody?")).isEqualTo(200);
    }

    @Test
    void theRoomTalksToNobodyWhoseAddressAnotherWrote() {
        String host = ann.address().getHostString();
        ann.send(
                SimulatedNetwork.address(SipTestServer.HOST, 5060),
                "MESSAGE sip:chat@10.0.0.1 SIP/2.0\nVia: SIP/2.0/UDP "
                        + host
                        + ":5060;branch=z9hG4bKforeign\nMax-Forwards: 70\nFrom: <sip:bob@"
                        + bob.address().getHostString()
                        + ">;tag=m\nTo: <sip:chat@10.0.0.1>\nCall-ID: foreign\nCSeq: 1 MESSAGE\n"
                        + "Content-Type: text/plain\n\n/help");
        assertThat(ann.expect("403").start()).isEqualTo("403");
        server.time().runFor(Duration.ofSeconds(40));
        assertThat(bob.all()).isEmpty();
    }

    @Test
    void rfc3428WhatCannotBeSaidIsRefusedWithTheReason() {
        Received html = say(ann, "text/html", "<b>hi</b>");
        assertThat(html.response().status()).isEqualTo(415);
        assertThat(html.header("Accept")).isEqualTo("text/plain");
        assertThat(say(ann, "text/plain;charset=klingon", "Qapla'").start()).isEqualTo("415");
        Received zipped = say(ann, "text/plain", "zip", "Content-Encoding: gzip");
        assertThat(zipped.response().status()).isEqualTo(415);
        assertThat(zipped.header("Accept-Encoding")).isEqualTo("identity");
        assertThat(status(ann, "a".repeat(801))).isEqualTo(413);
        Received require = say(ann, "text/plain", "hi", "Require: sealing");
        assertThat(require.response().status()).isEqualTo(420);
        assertThat(require.header("Unsupported")).isEqualTo("sealing");
        Received often = say(ann, "text/plain", "hi", "Require: sealing" + ",sealing".repeat(500));
        assertThat(often.message().headers(HeaderName.UNSUPPORTED)).containsExactly("sealing");
        assertThat(status(server.peer("chat"), "I am you")).isEqualTo(403);
        server.assertNothingLeft();
    }

    @Test
    @SipTest(
            archives = "target/chat-room",
            contextParams = {"chat-room.max-members=1", "chat-room.max-rooms=1"})
    void membersAreBounded(SipTestServer small) {
        assertThat(status(ann, "/join")).isEqualTo(200);
        assertThat(status(bob, "/join")).isEqualTo(486);
        assertThat(status(bob, "let me in")).isEqualTo(486);
        assertThat(status(ann, "/leave")).isEqualTo(200);
        assertThat(status(bob, "/join")).isEqualTo(200);
        small.advance(Duration.ofSeconds(1));
        assertThat(bob.count("MESSAGE")).as("the welcome").isEqualTo(1);
    }

    /** A phone says 200 to a MESSAGE that it never asked for: that proves nothing. */
    @Test
    void ofAnAddressThatMayBeForgedNoneIsAnnouncedAndFourAreTold() {
        String host = ann.address().getHostString();
        join(bob);
        for (int i = 0; i < 10; i++) {
            statusFrom("sip:m" + i + "@" + host);
            server.advance(Duration.ofMillis(50));
            ann.all().stream()
                    .filter(r -> r.start().equals("MESSAGE"))
                    .skip(i)
                    .forEach(welcome -> ann.reply(welcome, 200));
        }
        server.advance(Duration.ofSeconds(1));
        assertThat(bob.count("MESSAGE")).as("the welcome").isEqualTo(1);
        long before = told(ann);
        assertThat(status(bob, "hello")).isEqualTo(202);
        server.advance(Duration.ofMillis(100));
        assertThat(told(ann) - before).isEqualTo(4);
        assertThat(status(bob, "/list")).isEqualTo(200);
        assertThat(hears(bob)).isEqualTo("bob, m0, m1, m2, m3 are here");
        server.advance(Duration.ofSeconds(40)); // none of them has answered
        assertThat(bob.count("MESSAGE")).as("nobody cannot be reached").isEqualTo(2);
    }

    @Test
    void whoProvesWhereHeIsIsAnnouncedAndMakesRoomForOthersThere() {
        join(bob);
        assertThat(status(ann, "/join")).isEqualTo(200);
        for (int i = 0; i < 3; i++) {
            assertThat(statusFrom("sip:m" + i + "@" + ann.address().getHostString()))
                    .isEqualTo(200);
        }
        assertThat(statusFrom("sip:m3@" + ann.address().getHostString())).isEqualTo(486);
        by = Transport.TCP;
        assertThat(status(ann, "/join")).isEqualTo(200);
        by = Transport.UDP;
        assertThat(hears(bob)).isEqualTo("* ann has joined");
        assertThat(statusFrom("sip:m3@" + ann.address().getHostString())).isEqualTo(200);
        assertThat(status(ann, "/leave")).isEqualTo(200);
        assertThat(hears(bob)).isEqualTo("* ann has left");
    }

    /** RFC 3261 8.1.1.3: anybody writes any From; a connection proves its own address alone. */
    @Test
    void aConnectionProvesNothingAboutAUserOfThisServer() {
        join(bob);
        ann.transport(Transport.TCP);
        for (int i = 0; i < 5; i++) {
            assertThat(statusFrom("sip:user" + i + "@10.0.0.1")).isEqualTo(200);
        }
        server.advance(Duration.ofSeconds(1));
        assertThat(bob.count("MESSAGE")).as("the welcome").isEqualTo(1);
    }

    @Test
    @SipTest(archives = "target/chat-room", contextParams = "chat-room.max-rooms=8")
    void roomsAreNotAllOneSources(SipTestServer small) {
        String from = "sip:ann@" + ann.address().getHostString();
        for (int i = 0; i < 6; i++) {
            assertThat(status("sip:chat-" + i + "@10.0.0.1", from, "/join"))
                    .as("room %s", i)
                    .isEqualTo(i < 4 ? 200 : 503);
        }
        assertThat(status(bob, "/join")).isEqualTo(200);
        assertThat(status("sip:chat-0@10.0.0.1", from, "/leave")).isEqualTo(200);
        assertThat(status("sip:chat-7@10.0.0.1", from, "/join")).isEqualTo(503);
        assertThat(status("sip:chat-1@10.0.0.1", from, "/leave")).isEqualTo(200);
        assertThat(status("sip:chat-7@10.0.0.1", from, "/join")).isEqualTo(200);
    }

    /** RFC 3261 19.1.4: what is escaped, and what need not be there, names the same user. */
    @Test
    void aUserIsOneMemberHoweverHisAddressIsWritten() {
        String host = ann.address().getHostString();
        for (String one :
                new String[] {
                    "sip:phone@" + host,
                    "sip:p%68one@" + host,
                    "sip:%70hone@" + host + ":5060",
                    "sip:phone@" + host + ";user=phone",
                    "sip:phon%65@" + host + ":5060;user=phone"
                }) {
            assertThat(statusFrom(one)).as(one).isEqualTo(200);
        }
        assertThat(server.session("chat-room").getAttribute("members"))
                .asInstanceOf(InstanceOfAssertFactories.MAP)
                .hasSize(1);
        String other = "sip:%70%68one@" + host;
        assertThat(status("sip:chat@10.0.0.1", other, "/leave")).isEqualTo(200);
        server.advance(Duration.ofSeconds(40));
        server.assertNothingLeft();
    }

    /** RFC 3261 8.2.2.1: a host of somebody else's is none of our rooms. */
    @Test
    void aRoomIsAtAnAddressOfThisServer() {
        join(bob);
        String from = "sip:ann@" + ann.address().getHostString();
        for (String room :
                new String[] {
                    "sip:chat@10.0.9.9", "sip:chat@example.org", "sip:chat@10.0.0.1:6379"
                }) {
            assertThat(status(room, from, "answer here")).as(room).isEqualTo(404);
        }
        server.advance(Duration.ofSeconds(1));
        assertThat(bob.count("MESSAGE")).as("the welcome").isEqualTo(1);
    }

    /** What a room is called in all that it says does not follow whoever speaks. */
    @Test
    void aRoomKeepsTheAddressByWhichItWasOpened() {
        join(bob);
        join(ann);
        assertThat(hears(bob)).isEqualTo("* ann has joined");
        String from = "sip:ann@" + ann.address().getHostString();
        assertThat(status("sip:chat@10.0.0.1:5060;x=y", from, "hello")).isEqualTo(202);
        assertThat(bob.expect("MESSAGE").header("From")).startsWith("<sip:chat@10.0.0.1>");
    }
}
