#version 300 es
// A gleam that runs over the blade every two seconds.
precision mediump float;

uniform sampler2D sprite;
uniform float time;
in vec2 position;
out vec4 colour;

void main() {
    vec4 base = texture(sprite, position);
    float band = fract(time * 0.5) * 3.0 - 1.0;
    float gleam = smoothstep(0.15, 0.0, abs(position.x + position.y - band));
    colour = vec4(base.rgb + gleam * vec3(0.5, 0.45, 0.2), base.a);
}
