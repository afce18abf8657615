package io.carillon.examples.restcall;

import io.carillon.boot.SipTurns;
import io.carillon.pojo.SipScopes;
import java.net.URI;
import java.security.SecureRandom;
import javax.servlet.sip.SipApplicationSession;
import javax.servlet.sip.SipFactory;
import javax.servlet.sip.SipSessionsUtil;
import javax.servlet.sip.SipURI;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ResponseStatusException;

/** Calls as a REST resource. What a client wants is done in the turn of its call. */
@RestController
@RequestMapping("/calls")
class CallController {
    /**
     * What a client asks for.
     *
     * @param first SIP URI of the phone that rings first
     * @param second SIP URI of the other one
     */
    record Order(String first, String second) {}

    /** What a client sees of a call. */
    record Shown(String id, CallProgress.State state, String reason) {}

    private final ThirdPartyCall calls;
    private final CallProgress progress;
    private final Destinations destinations;
    private final SipFactory factory;
    private final SipSessionsUtil sessions;
    private final SipTurns turns;
    private final SecureRandom random = new SecureRandom();

    CallController(
            ThirdPartyCall calls,
            CallProgress progress,
            Destinations destinations,
            SipFactory factory,
            SipSessionsUtil sessions,
            SipTurns turns) {
        this.calls = calls;
        this.progress = progress;
        this.destinations = destinations;
        this.factory = factory;
        this.sessions = sessions;
        this.turns = turns;
    }

    @PostMapping
    ResponseEntity<Shown> begin(@RequestBody Order order) throws Exception {
        SipURI first = destinations.read("first", order.first());
        SipURI second = destinations.read("second", order.second());
        String id = newId();
        SipApplicationSession call = factory.createApplicationSessionByKey(id);
        Shown shown = shown(id, call);
        turns.execute(call, () -> calls.begin(call, first, second));
        return ResponseEntity.created(URI.create("/calls/" + shown.id())).body(shown);
    }

    /** Whoever knows it may see and end the call. */
    private String newId() {
        return String.format("%016x%016x", random.nextLong(), random.nextLong());
    }

    @GetMapping("/{id}")
    Shown show(@PathVariable String id) throws Exception {
        SipApplicationSession call = found(id);
        return shown(id, call);
    }

    @DeleteMapping("/{id}")
    @ResponseStatus(HttpStatus.NO_CONTENT)
    void end(@PathVariable String id) {
        SipApplicationSession call = found(id);
        turns.execute(call, () -> calls.hangUp(call));
    }

    private SipApplicationSession found(String id) {
        SipApplicationSession call = sessions.getApplicationSessionByKey(id, false);
        if (call == null) {
            throw new ResponseStatusException(
                    HttpStatus.NOT_FOUND, "there is no call " + id + ", or it has ended");
        }
        return call;
    }

    private Shown shown(String id, SipApplicationSession call) throws Exception {
        return SipScopes.within(call, () -> new Shown(id, progress.state(), progress.reason()));
    }
}
