package io.carillon.sip.bytes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * State as bytes: what is written comes back, a newer writer does not disturb, garbage is refused.
 */
class StateTest {
    @Test
    void everyKindComesBack() {
        StateWriter out = new StateWriter(1);
        long[] numbers = {
            0, 1, 127, 128, 300, Integer.MAX_VALUE, Long.MAX_VALUE, -1, Long.MIN_VALUE
        };
        for (long number : numbers) {
            out.putVarint(number).putSigned(number);
        }
        out.putString("grüße").putString("").putString(null).putBoolean(true);
        out.putBytes(new byte[] {1, 2}).putBytes(new byte[0]).putBytes(null);
        StateReader in = new StateReader(out.toByteArray());
        for (long number : numbers) {
            assertThat(in.getVarint()).isEqualTo(number);
            assertThat(in.getSigned()).isEqualTo(number);
        }
        assertThat(in.getString()).isEqualTo("grüße");
        assertThat(in.getString()).isEmpty();
        assertThat(in.getString()).isNull();
        assertThat(in.getBoolean()).isTrue();
        assertThat(in.getBytes()).containsExactly(1, 2);
        assertThat(in.getBytes()).isEmpty();
        assertThat(in.getBytes()).isNull();
        assertThat(in.hasMore()).isFalse();
    }

    @Test
    void anOlderReaderSkipsWhatANewerWriterAppended() {
        StateWriter out = new StateWriter();
        int outer = out.begin(1);
        int inner = out.begin(2);
        out.putVarint(5).putString("new in version 2");
        out.end(inner);
        out.putVarint(6);
        out.end(outer);
        out.putVarint(7);
        StateReader in = new StateReader(out.toByteArray());
        assertThat(in.begin()).isEqualTo(1);
        assertThat(in.begin()).isEqualTo(2);
        assertThat(in.getVarint()).isEqualTo(5);
        in.end();
        assertThat(in.getVarint()).isEqualTo(6);
        assertThat(in.hasMore()).isFalse();
        in.end();
        assertThat(in.getVarint()).isEqualTo(7);
    }

    @Test
    void aSectionEndsWhereItEnds() {
        StateWriter out = new StateWriter();
        int section = out.begin(1);
        out.end(section);
        out.putVarint(7);
        StateReader in = new StateReader(out.toByteArray());
        in.begin();
        assertThatThrownBy(in::getVarint).isInstanceOf(StateFormatException.class);
    }

    @Test
    void garbageIsRefusedWithoutAnyOtherException() {
        Random random = new Random(1);
        for (int i = 0; i < 20_000; i++) {
            byte[] bytes = new byte[random.nextInt(40)];
            random.nextBytes(bytes);
            StateReader in = new StateReader(bytes);
            try {
                while (in.hasMore()) {
                    switch (random.nextInt(6)) {
                        case 0 -> in.begin();
                        case 1 -> in.end();
                        case 2 -> in.getString();
                        case 3 -> in.getBytes();
                        case 4 -> in.getCount(100);
                        default -> in.getSigned();
                    }
                }
            } catch (StateFormatException e) {
                assertThat(e).hasMessageNotContaining("null");
            }
        }
    }
}
