package io.carillon.examples.voicemail;

import static org.assertj.core.api.Assertions.assertThat;

import com.jayway.jsonpath.JsonPath;
import io.carillon.boot.test.SipTest;
import io.carillon.servlettest.SipTestServer;
import io.carillon.sip.header.HeaderName;
import io.carillon.sip.message.MessageDraft;
import io.carillon.testkit.Call;
import io.carillon.testkit.Received;
import io.carillon.testkit.ScriptedPeer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.test.web.servlet.MockMvc;
import org.springframework.test.web.servlet.request.MockMvcRequestBuilders;
import org.springframework.test.web.servlet.setup.MockMvcBuilders;
import org.springframework.web.context.WebApplicationContext;

/** The 24 messages between the server and the voice mail, and what the pages are told. */
@SipTest(
        properties = {
            "carillon.web.accounts.alice.password={noop}secret",
            "carillon.web.accounts.alice.phone=sip:alice@10.0.1.1",
            "carillon.web.destinations.voicemail=sip:voicemail@10.0.1.2"
        })
class VoiceMailTest {
    private static final String SDP =
            "v=0\r\no=- 1 1 IN IP4 10.0.1.2\r\ns=-\r\nc=IN IP4 10.0.1.2\r\nt=0 0\r\nm=audio 9 RTP/AVP 0\r\n";

    @Autowired SipTestServer server;
    @Autowired WebApplicationContext context;

    @Test
    void theVoiceMailIsSubscribedToWhileTheCallLasts() throws Exception {
        MockMvc api = MockMvcBuilders.webAppContextSetup(context).build();
        String token =
                JsonPath.read(
                        api.perform(
                                        MockMvcRequestBuilders.post("/api/sign-ins")
                                                .contentType("application/json")
                                                .content(
                                                        "{\"user\":\"alice\",\"password\":\"secret\"}"))
                                .andReturn()
                                .getResponse()
                                .getContentAsString(),
                        "$.token");
        var phone = server.phone("alice").onCall(Call::answer);
        ScriptedPeer voiceMail = server.peer("voicemail");
        String body =
                api.perform(
                                MockMvcRequestBuilders.post("/api/calls")
                                        .header("Authorization", "Bearer " + token)
                                        .contentType("application/json")
                                        .content("{\"to\":\"voicemail\"}"))
                        .andReturn()
                        .getResponse()
                        .getContentAsString();
        String id = JsonPath.read(body, "$.id");
        Received invite = voiceMail.expect("INVITE");
        MessageDraft answer = MessageDraft.responseTo(invite.request(), 200, null, "vm");
        answer.set(HeaderName.CONTACT, "<sip:voicemail@10.0.1.2>");
        answer.body(SDP.getBytes(StandardCharsets.US_ASCII), "application/sdp");
        voiceMail.send(invite.from(), answer);
        voiceMail.expect("ACK");
        Received subscribe = voiceMail.expect("SUBSCRIBE");
        assertThat(subscribe.header("Event")).isEqualTo("message-summary");
        assertThat(subscribe.header("Accept")).isEqualTo("application/simple-message-summary");
        voiceMail.replyAs(
                subscribe, 200, "sub", "Contact: <sip:voicemail@10.0.1.2>", "Expires: 3600");
        phone.lastCall().bye();
        voiceMail.reply(voiceMail.expect("BYE"), 200);
        Received last = voiceMail.expect("SUBSCRIBE");
        assertThat(last.header("Expires")).isEqualTo("0");
        voiceMail.reply(last, 200, "Expires: 0");
        assertThat(phone.lastCall().state()).isEqualTo(Call.State.ENDED);
        server.advance(Duration.ofSeconds(1));
        assertThat(id).isNotEmpty();
    }
}
