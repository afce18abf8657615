package io.carillon.boot.test;

import io.carillon.boot.SipWeb;
import io.carillon.pojo.Initial;
import io.carillon.pojo.Invite;
import io.carillon.pojo.Plan;
import io.carillon.pojo.SipApplicationSessionScoped;
import io.carillon.pojo.SipHandler;
import jakarta.servlet.http.HttpServletRequest;
import javax.servlet.sip.SipApplicationSession;
import javax.servlet.sip.SipFactory;
import javax.servlet.sip.SipServletRequest;
import javax.servlet.sip.SipServletResponse;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;

/** A Boot application for the tests: forwards calls, and calls on behalf of a page. */
@SpringBootApplication
class ForwardingApplication {
    /** What page and handler share. */
    @SipApplicationSessionScoped
    static class Progress {
        private String text = "nothing yet";

        void is(String now) {
            text = now;
        }

        String text() {
            return text;
        }
    }

    @SipHandler
    static class Forwarding {
        private final Progress progress;

        Forwarding(Progress progress) {
            this.progress = progress;
        }

        @Invite
        @Initial
        Plan forward() {
            return Plan.bridge("sip:bob@10.0.1.2");
        }

        @Invite
        void answered(SipServletResponse response) throws Exception {
            progress.is("answered " + response.getStatus());
            if (response.getStatus() == 200) {
                response.createAck().send();
            }
        }
    }

    @RestController
    static class Pages {
        private final SipWeb web;
        private final SipFactory factory;
        private final Progress progress;
        private final SipApplicationSession session;

        Pages(SipWeb web, SipFactory factory, Progress progress, SipApplicationSession session) {
            this.web = web;
            this.factory = factory;
            this.progress = progress;
            this.session = session;
        }

        @PostMapping("/call")
        String call(HttpServletRequest request) throws Exception {
            SipServletRequest invite =
                    factory.createRequest(
                            web.of(request), "INVITE", "sip:page@10.0.0.1", "sip:bob@10.0.1.2");
            invite.send();
            return invite.getApplicationSession().getId();
        }

        @GetMapping("/progress")
        String progress() {
            return session.getId() + " " + progress.text();
        }
    }
}
