package io.carillon.examples.voicemail;

import io.carillon.web.CallState;
import io.carillon.web.WebCall;
import io.carillon.web.WebCalls;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ResponseStatusException;

/**
 * The clicks of users that do not sign in, for {@code ./carillon lab converged}: whoever can reach
 * it can call whom he likes, so it is there only where {@code voicemail.lab} is set.
 */
@RestController
@RequestMapping("/lab")
@ConditionalOnProperty("voicemail.lab")
class LabPages {
    private final WebCalls calls;

    LabPages(WebCalls calls) {
        this.calls = calls;
    }

    @PostMapping("/call")
    @ResponseStatus(HttpStatus.NO_CONTENT)
    void call(@RequestParam String phone, @RequestParam String mail) throws Exception {
        calls.place(phone, phone, mail, null);
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
