package io.carillon.examples.restcall;

import io.carillon.pojo.Initial;
import io.carillon.pojo.Invite;
import io.carillon.pojo.Options;
import io.carillon.pojo.Plan;
import io.carillon.pojo.RequestUri;
import io.carillon.pojo.SipHandler;
import javax.servlet.sip.SipServletRequest;

/** Answers every call to {@code hello}, with media that goes nowhere. */
@SipHandler
public class HelloHandler {
    @Invite
    @Initial
    @RequestUri("sip:hello@*")
    Plan answer(SipServletRequest invite) {
        return Plan.respond(200)
                .body(Descriptions.ofNoMedia(invite.getLocalAddr()), "application/sdp");
    }

    @Options
    int options() {
        return 200;
    }
}
