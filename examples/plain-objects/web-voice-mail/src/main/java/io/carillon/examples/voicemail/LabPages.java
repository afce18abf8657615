package io.carillon.examples.voicemail;

import io.carillon.web.CallState;
import io.carillon.web.EventStreams;
import io.carillon.web.WebCall;
import io.carillon.web.WebCalls;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ResponseStatusException;
import org.springframework.web.servlet.mvc.method.annotation.SseEmitter;

/**
 * The clicks of users that do not sign in, for {@code ./carillon lab converged}: whoever can reach
 * it can call whom he likes, so it is there only where {@code voicemail.lab} is set.
 */
@RestController
@RequestMapping("/lab")
@ConditionalOnProperty("voicemail.lab")
class LabPages {
    private final WebCalls calls;
    private final EventStreams streams;

    LabPages(WebCalls calls, EventStreams streams) {
        this.calls = calls;
        this.streams = streams;
    }

    @PostMapping("/call")
    @ResponseStatus(HttpStatus.NO_CONTENT)
    void call(@RequestParam String phone, @RequestParam String mail) throws Exception {
        calls.place(phone, phone, mail, null);
    }

    @GetMapping(path = "/events", produces = MediaType.TEXT_EVENT_STREAM_VALUE)
    SseEmitter events(@RequestParam String phone) {
        return streams.open(phone);
    }

    @PostMapping("/hang-up")
    @ResponseStatus(HttpStatus.NO_CONTENT)
    void hangUp(@RequestParam String phone) throws Exception {
        for (WebCall call : calls.of(phone)) {
            if (call.state() != CallState.ENDED) {
                calls.end(call);
                return;
            }
        }
        throw new ResponseStatusException(HttpStatus.NOT_FOUND, phone + " has no call");
    }
}
